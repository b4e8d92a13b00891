import ArgumentParser

/// How long a command waits for another writer.
struct WaitOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long to wait while another process writes: \(TimeSpan.forms), or 0.",
            valueName: "DURATION"))
    var wait = TimeSpan(nanoseconds: 5_000_000_000)
}
