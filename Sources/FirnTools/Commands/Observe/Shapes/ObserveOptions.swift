import ArgumentParser
import FirnValues

/// What `observe` is to do: the command line as plain values.
struct ObserveOptions: Hashable {
    let file: String
    /// The query, or the stages of it; none for all classes.
    let query: [String]
    var className: String?
    /// To print, separated by commas.
    var properties: String?
    /// The values of `$name`.
    var arguments: [String: Value] = [:]
    /// `nil` for what suits the output.
    var format: StreamFormat?
    var shape = StreamShape.events
    var initial = InitialContent.full
    /// Whether the user said what comes first.
    var namesInitial = false
    /// Whether changed objects are written as they were as a whole.
    var writesWholeBefore = false
    var since: StreamStart?
    var cursorFile: String?
    var onGap = GapPolicy.reset
    var operations = StreamOperations.all
    /// How many updates there are to be.
    var countMax: UInt64?
    /// The condition that ends it.
    var until: String?
    var idle: TimeSpan?
    var timeout: TimeSpan?
    var heartbeat = Heartbeat.off
    var debounce: TimeSpan?
    var everyCommit = false
    var lagMax: UInt64?
    /// To be run for each update.
    var command: String?
    var keepsGoing = false
    var followsName = false

    init(file: String, query: [String]) {
        self.file = file
        self.query = query
    }

    /// Whether a query was given; otherwise all classes are observed.
    var hasQuery: Bool { !query.isEmpty || className != nil }

    /// The text that the query language reads.
    func queryText() throws(CommandFailure) -> String {
        var text = QueryText()
        text.stages = query.isEmpty ? className.map { [$0] } ?? [] : query
        text.properties = properties
        return try text.joined()
    }
}

extension ObserveOptions {
    /// What comes first, if the user did not say: on a terminal, nobody reads all objects of all
    /// classes, and a command is run for updates.
    func initial(_ environment: CommandEnvironment) -> InitialContent {
        if command != nil, !namesInitial { return .none }
        let suitsPeople =
            !namesInitial && !hasQuery && command == nil && cursorFile == nil
            && environment.outputIsTerminal
        return suitsPeople ? .count : initial
    }

    /// Whether a person is shown a table that lives, and not lines.
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

    /// Refuses what has no meaning.
    func check() throws(CommandFailure) {
        guard shape == .index, !hasQuery else { return }
        throw .diagnostic(
            .usage(
                "--shape index needs a query",
                remedy: "give a query such as 'Person SORT(name)', or use --shape rows"))
    }

    /// How the objects of `--shape rows` are written, if not as JSON.
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

/// How the stream is written.
enum StreamFormat: String, ExpressibleByArgument, CaseIterable {
    /// A table on a terminal, otherwise ndjson.
    case auto
    case table
    case ndjson
    /// With rows alone.
    case csv
    case tsv
}

/// What a line of the stream is.
enum StreamShape: String, ExpressibleByArgument, CaseIterable {
    /// What some commits did to the result.
    case events
    /// What happened to one object.
    case rows
    /// What some commits did, as positions alone.
    case index
}

/// What the stream tells of the objects that are there when it begins.
enum InitialContent: String, ExpressibleByArgument, CaseIterable {
    case full
    case count
    case none
}

/// What happens when a version is not kept any more.
enum GapPolicy: String, ExpressibleByArgument, CaseIterable {
    case reset
    case fail
}

/// Where a stream begins that goes on with an earlier one.
enum StreamStart: ExpressibleByArgument, Hashable {
    case now
    case version(LSN)
    case token(String)
    /// The token in a file that somebody else keeps; all anew if there is none yet.
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

/// How often a stream says something when nothing happens.
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
