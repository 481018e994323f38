//! `bench/run ring`: look-ups, builds and memory of rings, beside other implementations in one run.

mod cases;
mod measure;
mod report;

fn main() {
    let options: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| options.iter().any(|option| option == name);
    if let Some(unknown) = options
        .iter()
        .find(|option| !["--json", "--quick"].contains(&option.as_str()))
    {
        eprintln!("unknown option {unknown}; usage: bench/run ring [--json] [--quick]");
        std::process::exit(2);
    }
    let report = cases::run(has("--quick"));
    if has("--json") {
        println!("{}", report.json());
    } else {
        print!("{}", report.table());
    }
}
