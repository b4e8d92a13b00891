import ArgumentParser

/// When something that depends on the terminal is done.
enum When: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

extension ErrorStyle: ExpressibleByArgument {}

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: "How errors are written to standard error: human or json.")
    var errors: ErrorStyle?

    @Flag(name: .shortAndLong, help: "No report, no progress, no hints; errors still print.")
    var quiet = false
}

/// The options of commands that take long.
struct ProgressOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Show progress on standard error: auto (a terminal, after half a second), always, never."
    )
    var progress: When = .auto
}

/// The format of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    /// Text on a terminal, otherwise JSON.
    case auto
    case text
    case json

    func isText(_ surroundings: Surroundings) -> Bool {
        switch self {
        case .auto: surroundings.outputIsTerminal
        case .text: true
        case .json: false
        }
    }
}

/// The option of commands that print a report.
struct ReportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "The report: auto (text on a terminal, otherwise json), text or json.")
    var format: ReportFormat = .auto
}

/// The format of records that may be several.
enum RecordFormat: String, ExpressibleByArgument, CaseIterable {
    /// Text on a terminal, otherwise one JSON object per line.
    case auto
    case text
    case json
    case ndjson

    enum Resolved {
        case text
        case json
        case ndjson
    }

    func resolved(_ surroundings: Surroundings) -> Resolved {
        switch self {
        case .auto: surroundings.outputIsTerminal ? .text : .ndjson
        case .text: .text
        case .json: .json
        case .ndjson: .ndjson
        }
    }

    func isText(_ surroundings: Surroundings) -> Bool { resolved(surroundings) == .text }
}

/// The formats that rows are written in.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    /// A table on a terminal, otherwise ndjson.
    case auto
    case table
    case csv
    case tsv
    case ndjson
    case json

    /// The format that a file name asks for.
    init?(path: String) {
        let name = path.lowercased()
        if name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".tsv") || name.hasSuffix(".tab") {
            self = .tsv
        } else if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") {
            self = .ndjson
        } else if name.hasSuffix(".json") {
            self = .json
        } else {
            return nil
        }
    }
}
