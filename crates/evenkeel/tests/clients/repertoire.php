<?php
// Everything that ext-memcached offers, against one memcached address. Usage: php repertoire.php PORT plain|ketama
error_reporting(E_ALL);
$checks = 0;
function same($what, $expected, $got): void {
    global $checks;
    $checks++;
    if ($expected !== $got) {
        fwrite(STDERR, "$what: expected " . var_export($expected, true) . ", got " . var_export($got, true) . "\n");
        exit(1);
    }
}

$m = new Memcached();
if ($argv[2] === 'ketama') {
    $m->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
}
$m->setOption(Memcached::OPT_CONNECT_TIMEOUT, 2000);
$m->addServer('127.0.0.1', (int) $argv[1]);

foreach (['text' => "caf\u{e9} \u{7528}", 'int' => 42, 'float' => 1.5, 'true' => true, 'false' => false,
          'list' => [1, 'two', [3.0, null]], 'empty' => '', 'long' => str_repeat('0123456789', 5000)] as $name => $value) {
    same("set $name", true, $m->set("type:$name", $value));
    same("get $name", $value, $m->get("type:$name"));
}
same('get of nothing', false, $m->get('absent'));
same('its code', Memcached::RES_NOTFOUND, $m->getResultCode());

$m->delete('a');
same('add', true, $m->add('a', 'one'));
same('add again', false, $m->add('a', 'two'));
same('its code', Memcached::RES_NOTSTORED, $m->getResultCode());
same('replace', true, $m->replace('a', 'three'));
same('replace of nothing', false, $m->replace('absent', 'x'));
$m->setOption(Memcached::OPT_COMPRESSION, false);
same('set', true, $m->set('a', 'b'));
same('append', true, $m->append('a', 'c'));
same('prepend', true, $m->prepend('a', 'a'));
same('joined', 'abc', $m->get('a'));

same('set counter', true, $m->set('n', 10));
same('increment', 15, $m->increment('n', 5));
same('decrement', 12, $m->decrement('n', 3));
same('decrement below 0', 0, $m->decrement('n', 100));
same('increment of nothing', false, $m->increment('absent'));

$items = [];
for ($i = 0; $i < 200; $i++) {
    $items["many:$i"] = "value $i";
}
same('setMulti', true, $m->setMulti($items, 600));
$got = $m->getMulti(array_merge(array_keys($items), ['absent:1', 'absent:2']));
ksort($got);
ksort($items);
same('getMulti', $items, $got);
same('getMulti in order', array_merge(array_fill_keys(['absent:1'], null), ['many:7' => 'value 7', 'many:3' => 'value 3']),
     $m->getMulti(['absent:1', 'many:7', 'many:3'], Memcached::GET_PRESERVE_ORDER));
same('getDelayed', true, $m->getDelayed(['many:1', 'many:2', 'absent:1'], true));
$delayed = $m->fetchAll();
same('fetchAll', 2, count($delayed));

$found = $m->get('many:1', null, Memcached::GET_EXTENDED);
same('extended value', 'value 1', $found['value']);
same('cas', true, $m->cas($found['cas'], 'many:1', 'changed'));
same('cas with an old token', false, $m->cas($found['cas'], 'many:1', 'lost'));
same('its code', Memcached::RES_DATA_EXISTS, $m->getResultCode());
same('kept', 'changed', $m->get('many:1'));

same('touch', true, $m->touch('many:2', 100));
same('touch of nothing', false, $m->touch('absent', 100));
same('set for a second', true, $m->set('short', 'x', 1));
same('delete', true, $m->delete('many:3'));
same('delete again', false, $m->delete('many:3'));
same('deleteMulti', ['many:4' => true, 'many:5' => true], $m->deleteMulti(['many:4', 'many:5']));
same('deleted', [], $m->getMulti(['many:3', 'many:4', 'many:5']));

$m->setOption(Memcached::OPT_NOREPLY, true);
for ($i = 0; $i < 50; $i++) {
    $m->set("quiet:$i", "q$i");
    $m->delete("absent:$i");
}
$m->setOption(Memcached::OPT_NOREPLY, false);
for ($i = 0; $i < 50; $i++) {
    same("quiet:$i", "q$i", $m->get("quiet:$i"));
}

$m->setOption(Memcached::OPT_PREFIX_KEY, 'app:');
same('prefixed set', true, $m->set('k', 'prefixed'));
same('prefixed get', 'prefixed', $m->get('k'));
$m->setOption(Memcached::OPT_PREFIX_KEY, '');
same('with its prefix', 'prefixed', $m->get('app:k'));

same('version', 1, count($m->getVersion()));
same('stats', 1, count($m->getStats()));
usleep(2100000);
same('expired', false, $m->get('short'));
echo "$checks checks\n";
