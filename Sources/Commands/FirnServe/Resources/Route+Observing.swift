import FirnFormats
import FirnTools
import FirnValues
import NIOHTTP1

extension Route {
    static let observe: Route = Route(
        method: .GET, path: "/v1/observe", name: "observe",
        summary: "Return the result of a query, then its changes as server-sent events.",
        parameters: [
            Parameter(
                name: "q", meaning: "The query; without one, all classes are observed."), .file,
            .className, .values, .zone,
            Parameter(name: "select", meaning: "Only these properties, and changes of them."),
            Parameter(
                name: "shape", meaning: "What an event consists of.",
                form: .choice(["events", "rows", "index"])),
            Parameter(
                name: "initial", meaning: "The first event: the objects, their number, or nothing.",
                form: .choice(["full", "count", "none"])),
            Parameter(
                name: "ops", meaning: "Only these operations, separated by commas."),
            Parameter(
                name: "before", meaning: "Also all previous values of a changed object.",
                form: .flag),
            Parameter(
                name: "since",
                meaning: "The position to begin after: a token, a version, or now. The header "
                    + "Last-Event-ID takes precedence."),
        ], types: ["text/event-stream"], effort: .none
    ) { call throws(Problem) in
        let token = call.request.header("Last-Event-ID") ?? call.arguments["since"]
        if let token { try Route.check(token) }
        call.service.streams.add(
            StreamSubscriber(
                try StreamQuery(call), call.exchange, after: token,
                initial: call.arguments["initial"]))
    }

    /// Rejects anything that is not a position, in particular `@FILE`, which would read a file.
    private static func check(_ token: String) throws(Problem) {
        guard !token.isEmpty, token.utf8.count <= 200,
            token.utf8.allSatisfy({ byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                    || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":")]
                        .contains(byte)
            })
        else {
            throw Problem(
                .badRequest, .historyToken,
                "\"\(SafeText.excerpt(of: token.utf8))\" is not a position of a stream",
                remedy: "send the id of an event, the number of a version, or now")
        }
    }
}

extension StreamQuery {
    /// Reads the stream that a client requests.
    fileprivate init(_ call: Call) throws(Problem) {
        var words = call.arguments.options(
            "class", "parameter", "timezone", "select", "shape", "ops")
        if call.arguments.isSet("before") { words.append("--before") }
        // Without a query, all classes are observed.
        if let text = call.arguments["q"], text.contains(where: { !$0.isWhitespace }) {
            words += ["--", text]
        }
        self.init(path: try call.file().path, words: words)
    }
}
