import ArgumentParser
import FirnFormats
import FirnQuery
import FirnValues

/// The options of `observe`, as plain values.
struct ObserveOptions: Hashable {
    let file: String
    /// The query, or its stages; empty for all classes.
    let query: [String]
    var className: String?
    /// The properties to print, separated by commas.
    var properties: String?
    /// The values of `$name`.
    var arguments: QueryArguments = [:]
    /// The format; `nil` for the default of the output.
    var format: StreamFormat?
    var shape = StreamShape.events
    var initial = InitialContent.full
    /// Whether the user specified the initial content.
    var namesInitial = false
    /// Whether all previous values of changed objects are written.
    var writesWholeBefore = false
    var since: StreamStart?
    var cursorFile: String?
    var onGap = GapPolicy.reset
    var operations = StreamOperations.all
    /// The number of updates after which the stream ends.
    var countMax: UInt64?
    /// The condition that ends the stream.
    var until: String?
    var idle: TimeSpan?
    /// Whether the stream ends when nothing is left to deliver.
    var catchesUp = false
    var timeout: TimeSpan?
    var heartbeat = Heartbeat.off
    var debounce: TimeSpan?
    var everyCommit = false
    var lagMax: UInt64?
    /// The command to run for each update.
    var command: String?
    var keepsGoing = false
    var followsName = false

    init(file: String, query: [String]) {
        self.file = file
        self.query = query
    }

    /// Whether a query was given; otherwise all classes are observed.
    var hasQuery: Bool { !query.isEmpty || className != nil }

    /// Returns the text of the query.
    func queryText() throws(CommandFailure) -> TypedText {
        var text = QueryText()
        text.stages = query
        if query.isEmpty { text.className = className }
        text.properties = properties
        return try text.joined()
    }
}

extension ObserveOptions {
    /// Returns the initial content.
    ///
    /// By default, a terminal does not show all objects of all classes, and a command is run only
    /// for updates.
    func initial(_ environment: CommandEnvironment) -> InitialContent {
        if command != nil, !namesInitial { return .none }
        let suitsPeople =
            !namesInitial && !hasQuery && command == nil && cursorFile == nil
            && environment.outputIsTerminal
        return suitsPeople ? .count : initial
    }

    /// Returns whether to draw a live table instead of lines.
    func drawsTable(_ environment: CommandEnvironment) throws(CommandFailure) -> Bool {
        let isSuitable =
            hasQuery && command == nil && shape == .events && initial == .full
            && !writesWholeBefore && !everyCommit
        switch format {
        case .table:
            guard environment.outputIsTerminal else {
                throw .diagnostic(
                    .usage(
                        "-f table needs a terminal as standard output",
                        remedy: "omit -f to print the changes as lines"))
            }
            guard isSuitable else {
                throw .diagnostic(
                    .usage(
                        "-f table needs a query, and cannot be combined with --shape, --initial, "
                            + "--before, --every-commit or --exec"))
            }
            return true
        case .ndjson, .csv, .tsv: return false
        case .auto, nil: break
        }
        if let name = environment.variable("FIRN_FORMAT"), format == nil, name != "auto",
            name != "table"
        {
            return false
        }
        guard isSuitable, environment.outputIsTerminal,
            let terminal = environment.variable("TERM")
        else { return false }
        return terminal != "dumb"
    }

    /// Returns whether to write lines for people: on a terminal, if all classes are observed and no
    /// option requests a form.
    func writesLog(_ environment: CommandEnvironment) throws(CommandFailure) -> Bool {
        guard environment.outputIsTerminal, !hasQuery, command == nil, shape == .events,
            !namesInitial, !writesWholeBefore, format == nil || format == .auto
        else { return false }
        guard format == nil, let name = environment.variable("FIRN_FORMAT") else { return true }
        return name == "auto" || name == "table"
    }

    /// Rejects incompatible options.
    func check() throws(CommandFailure) {
        guard shape == .index, !hasQuery else { return }
        throw .diagnostic(
            .usage(
                "--shape index needs a query",
                remedy: "give a query such as 'Person SORT(name)', or use --shape rows"))
    }

    /// Returns the format of the objects of `--shape rows`, if it is not JSON.
    func rowDialect() throws(CommandFailure) -> RowDialect? {
        let dialect: RowDialect
        switch format {
        case .csv: dialect = .csv
        case .tsv: dialect = .tsv
        case .auto, .table, .ndjson, nil: return nil
        }
        guard shape == .rows, command == nil else {
            throw .diagnostic(
                .usage("csv and tsv need --shape rows, and cannot be combined with --exec"))
        }
        guard hasQuery else {
            throw .diagnostic(
                .usage("csv and tsv need a query, because each class has its own columns"))
        }
        return dialect
    }
}

/// The format of the stream.
enum StreamFormat: String, ExpressibleByArgument, CaseIterable {
    /// A table on a terminal, otherwise ndjson.
    case auto
    case table
    case ndjson
    /// Only with rows.
    case csv
    case tsv
}

/// The unit of a line of the stream.
enum StreamShape: String, ExpressibleByArgument, CaseIterable {
    /// The changes of some commits to the result.
    case events
    /// The change to one object.
    case rows
    /// The changes of some commits, as positions only.
    case index
}

/// The objects that the stream reports at its start.
enum InitialContent: String, ExpressibleByArgument, CaseIterable {
    case full
    case count
    case none
}

/// The reaction to a version that is no longer kept.
enum GapPolicy: String, ExpressibleByArgument, CaseIterable {
    case reset
    case fail
}

/// The start of a stream that resumes an earlier one.
enum StreamStart: ExpressibleByArgument, Hashable {
    case now
    case version(LSN)
    case token(String)
    /// The token in a file that another process writes; the stream starts from the beginning if it
    /// does not exist.
    case file(String)

    init?(argument: String) {
        if argument == "now" {
            self = .now
        } else if !argument.isEmpty, argument.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let number = UInt64(argument) else { return nil }
            self = .version(LSN(number))
        } else if argument.first == "@" {
            guard argument.count > 1 else { return nil }
            self = .file(String(argument.dropFirst()))
        } else {
            self = .token(argument)
        }
    }
}

/// The interval of heartbeats when nothing happens.
enum Heartbeat: ExpressibleByArgument, Hashable {
    case off
    case every(TimeSpan)

    static let standard = TimeSpan(nanoseconds: 30_000_000_000)

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let span = TimeSpan(argument: argument), span.nanoseconds > 0 {
            self = .every(span)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "30s" }
}
