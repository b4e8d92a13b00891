import FirnFormats
import FirnTools
import FirnValues
import NIOHTTP1

extension Parameter {
    static let file = Parameter(
        name: "file", meaning: "The file, if the server has several; see /v1/files.")
    static let version = Parameter(
        name: "at",
        meaning: "The version: a number, the name of a freeze, @-N, @-1h, or a time in ISO 8601.")
    static let timeout = Parameter(
        name: "timeout", meaning: "The seconds after which the request gives up.",
        form: .count(1...86_400))
    static let query = Parameter(
        name: "q", meaning: "The query; see firn-query-language(7).", isRequired: true)
    static let className = Parameter(
        name: "class", meaning: "The class of a query that names no class.")
    static let values = Parameter(
        name: "parameter", meaning: "A value of $NAME: NAME=TEXT, or NAME:=JSON.",
        isRepeatable: true)
    static let zone = Parameter(
        name: "timezone", meaning: "The time zone of functions that name none; default: UTC.")
}

extension Route {
    static let query: Route = Route(
        method: .GET, path: "/v1/query", name: "query", summary: "Return the result of a query.",
        parameters: [
            .query, .file, .className, .values, .zone, .version,
            Parameter(
                name: "format", meaning: "The form of the rows, instead of the header Accept.",
                form: .choice(ResultFormat.allCases.map(\.rawValue))),
            Parameter(
                name: "limit", meaning: "The number of rows at most.",
                form: .count(0...Int(Int32.max))), .timeout,
        ],
        types: ResultFormat.allCases.map(\.mediaType)
    ) { call throws(Problem) in
        let format = try ResultFormat(call)
        let file = try call.file()
        var headers = HTTPHeaders()
        let tagged = try call.taggedVersion(of: file, format.rawValue)
        if let tagged {
            headers.replaceOrAdd(name: "ETag", value: tagged.tag.text)
            if call.has(tagged.tag) {
                return call.exchange.respond(Response(.notModified, type: "", [], headers))
            }
        }
        try call.run(
            ["query", file.path, "-q", "--progress=json", "-f", format.rawValue]
                + call.arguments.options("class", "parameter", "timezone", "at", "limit")
                + call.queryWords(),
            type: format.mediaType, headers: headers, database: tagged?.database)
    }

    static let explain: Route = Route(
        method: .GET, path: "/v1/explain", name: "explain",
        summary: "Return the plan of a query, or its cost with analyze.",
        parameters: [
            .query, .file, .className, .values, .zone, .version,
            Parameter(
                name: "analyze", meaning: "Also run the query, and return what each step cost.",
                form: .flag), .timeout,
        ], types: ["application/json"]
    ) { call throws(Problem) in
        let file = try call.file()
        let explanation = call.arguments.isSet("analyze") ? "--analyze" : "--explain"
        try call.run(
            ["query", file.path, "-q", "--progress=json", "-f", "json", explanation]
                + call.arguments.options("class", "parameter", "timezone", "at")
                + call.queryWords(), type: "application/json")
    }

    static let schema: Route = report(
        "schema", "Return the classes of a file.", effort: .short)
    static let stats: Route = report(
        "stats", "Return sizes, encodings and versions of a file.", effort: .any)

    /// Returns the route of a command that prints one JSON document about a file.
    private static func report(
        _ command: String, _ summary: String, effort: Effort
    ) -> Route {
        Route(
            method: .GET, path: "/v1/\(command)", name: command, summary: summary,
            parameters: [.file, .version], types: ["application/json"], effort: effort
        ) { call throws(Problem) in
            try call.run(
                [command, call.file().path, "-q", "-f", "json"] + call.arguments.options("at"),
                type: "application/json")
        }
    }

    static let versions: Route = Route(
        method: .GET, path: "/v1/versions", name: "versions",
        summary: "Return the versions that are kept, newest first, and what each changed.",
        parameters: [
            .file,
            Parameter(
                name: "limit", meaning: "The number of versions at most.",
                form: .count(1...Int(Int32.max))),
            Parameter(name: "since", meaning: "Only versions after this one."),
            Parameter(
                name: "class", meaning: "Only versions that changed objects of this class.",
                isRepeatable: true),
            Parameter(
                name: "object", meaning: "Only versions that changed the object of this key."),
            .timeout,
        ], types: ["application/x-ndjson"]
    ) { call throws(Problem) in
        try call.run(
            ["log", call.file().path, "-q", "-f", "ndjson"]
                + call.arguments.options("limit", "since", "class", "object"),
            type: "application/x-ndjson")
    }

    static let diff: Route = Route(
        method: .GET, path: "/v1/diff", name: "diff",
        summary: "Return the objects that differ between two versions.",
        parameters: [
            .file, Parameter(name: "from", meaning: "The older version.", isRequired: true),
            Parameter(name: "to", meaning: "The newer version; default: the newest."),
            Parameter(
                name: "class", meaning: "Only objects of this class.", isRepeatable: true),
            Parameter(name: "summary", meaning: "Only the number of objects.", form: .flag),
            .timeout,
        ], types: ["application/x-ndjson"]
    ) { call throws(Problem) in
        let summary = call.arguments.isSet("summary") ? ["--summary"] : []
        try call.run(
            ["diff", call.file().path, "-q", "-f", "ndjson"] + summary
                + call.arguments.options("from", "to", "class"), type: "application/x-ndjson")
    }
}

/// The forms of the rows of a query.
enum ResultFormat: String, CaseIterable {
    case ndjson
    case json
    case csv
    case tsv
    case arrow
    case parquet

    var mediaType: String {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .json: "application/json"
        case .csv: "text/csv"
        case .tsv: "text/tab-separated-values"
        case .arrow: "application/vnd.apache.arrow.stream"
        case .parquet: "application/vnd.apache.parquet"
        }
    }

    /// Reads the format from the parameter `format`, or from the header `Accept`.
    init(_ call: Call) throws(Problem) {
        if let format = call.arguments["format"].flatMap(ResultFormat.init(rawValue:)) {
            self = format
            return
        }
        let accepted = call.request.headers[canonicalForm: "Accept"]
        guard !accepted.isEmpty else {
            self = .ndjson
            return
        }
        for item in accepted {
            let type = item.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
            if let format = ResultFormat.allCases.first(where: { $0.mediaType == type }) {
                self = format
                return
            }
            if type == "*/*" || type == "application/*" {
                self = .ndjson
                return
            }
        }
        let types = ResultFormat.allCases.map(\.mediaType).joined(separator: ", ")
        throw Problem(
            .notAcceptable, .usageArguments, "no media type of the header Accept is available",
            remedy: "accept one of \(types)")
    }
}

extension Call {
    /// Returns the words of a command line for the query.
    func queryWords() throws(Problem) -> [String] {
        let text = arguments["q"] ?? ""
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .parameter("the parameter q is empty", remedy: "name a class, such as q=Person")
        }
        // The parser of arguments is needed only for options.
        return text.hasPrefix("-") ? ["--", text] : [text]
    }
}
