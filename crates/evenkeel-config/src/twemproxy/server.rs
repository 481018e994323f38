//! A line of `servers:`, read from the right as twemproxy reads it: `host:port:weight name` or `/path:weight name`.

use evenkeel_core::{Address, Node, Weight};

/// The port that twemproxy leaves out of the text that it hashes.
const DEFAULT_PORT: u16 = 11211;

/// The node of a line. Its name is the text that twemproxy hashes for it, so that a placement by name places alike. The error is a
/// sentence for people.
pub fn parse(line: &str) -> Result<Node, String> {
    let (place, name) = match line.split_once(' ') {
        Some((place, name)) => (place, Some(name.trim())),
        None => (line, None),
    };
    let (rest, weight) = place
        .rsplit_once(':')
        .ok_or("it has no weight; write host:port:weight")?;
    let weight = match weight.parse::<u32>() {
        Ok(0) => {
            return Err(
                "the weight is 0, which twemproxy refuses; leave the server out".to_owned(),
            );
        }
        Ok(units) => units
            .to_string()
            .parse::<Weight>()
            .map_err(|error| format!("the weight: {error}"))?,
        Err(_) => {
            return Err(format!(
                "{weight:?} is no weight; write host:port:weight with a whole number"
            ));
        }
    };
    let (address, text) = if rest.starts_with('/') {
        // twemproxy's text for a socket is its path with the colon that set off the weight.
        (Address::Unix(rest.to_owned()), format!("{rest}:"))
    } else {
        tcp(rest)?
    };
    let name = name
        .filter(|name| !name.is_empty())
        .map_or(text, str::to_owned);
    Ok(Node::new(name, address).weighing(weight))
}

fn tcp(rest: &str) -> Result<(Address, String), String> {
    let (host, port) = rest
        .rsplit_once(':')
        .ok_or("it has no port; write host:port:weight")?;
    let number: u16 = port
        .parse()
        .ok()
        .filter(|&number| number > 0)
        .ok_or_else(|| format!("{port:?} is no port; write host:port:weight"))?;
    let bracketed = if host.contains(':') && !host.starts_with('[') {
        format!("[{host}]:{number}")
    } else {
        format!("{host}:{number}")
    };
    let address = bracketed.parse().map_err(|error| format!("{error}"))?;
    let text = if number == DEFAULT_PORT {
        host.to_owned()
    } else {
        rest.to_owned()
    };
    Ok((address, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_twemproxys_text_as_the_name() {
        for (line, name) in [
            ("127.0.0.1:11211:1", "127.0.0.1"),
            ("127.0.0.1:11212:1", "127.0.0.1:11212"),
            ("127.0.0.1:11212:3 alpha", "alpha"),
            ("/tmp/x.sock:1", "/tmp/x.sock:"),
            ("::1:11212:1", "::1:11212"),
        ] {
            assert_eq!(parse(line).unwrap().name, name);
        }
        assert_eq!(
            parse("127.0.0.1:11212:3 alpha").unwrap().weight.units(),
            Some(3)
        );
    }

    #[test]
    fn a_line_that_twemproxy_refuses_is_refused() {
        for line in [
            "127.0.0.1",
            "127.0.0.1:11211",
            "127.0.0.1:11211:0",
            "127.0.0.1:0:1",
            "127.0.0.1:99999:1",
            "a:b:c",
            "",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
