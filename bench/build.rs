//! Builds the libmemcached peer where its headers are installed; elsewhere its rows are left out.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(libmemcached)");
    println!("cargo::rerun-if-changed=src/libmemcached.c");
    if std::path::Path::new("/usr/include/libmemcached/memcached.h").exists() {
        cc::Build::new()
            .file("src/libmemcached.c")
            .opt_level(2)
            .compile("peer_libmemcached");
        println!("cargo::rustc-link-lib=memcached");
        println!("cargo::rustc-cfg=libmemcached");
    }
}
