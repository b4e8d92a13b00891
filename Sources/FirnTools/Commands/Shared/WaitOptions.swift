import ArgumentParser

/// How long a command waits for another writer.
struct WaitOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long to wait while another process writes: 250ms, 5s, 2m, 1h or 0.",
            valueName: "DURATION"))
    var wait = WaitDuration(nanoseconds: 5_000_000_000)
}

/// `250ms`, `5s`, `2m`, `1h`, `7d`, `0`.
struct WaitDuration: ExpressibleByArgument, Hashable {
    let nanoseconds: UInt64

    init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits) else { return nil }
        let unit: UInt64
        switch argument[digits.endIndex...] {
        case "ms": unit = 1_000_000
        case "s": unit = 1_000_000_000
        case "m": unit = 60_000_000_000
        case "h": unit = 3_600_000_000_000
        case "d": unit = 86_400_000_000_000
        case "" where number == 0: unit = 1
        default: return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        if overflow { return nil }
        nanoseconds = product
    }

    var defaultValueDescription: String { "5s" }
}
