import FirnCodec
import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues
import NIOHTTP1

extension Route {
    private static let statementType = "application/x-firn-statement"
    /// The forms of records, by media type.
    private static let recordTypes = [
        "application/x-ndjson": "ndjson", "application/json": "json", "text/csv": "csv",
        "text/tab-separated-values": "tsv",
    ]

    static let write: Route = Route(
        method: .POST, path: "/v1/write", name: "write",
        summary: "Change objects in one transaction, and return the report.",
        parameters: [
            .file,
            Parameter(name: "class", meaning: "The class of records that name no class."),
            Parameter(
                name: "policy", meaning: "What to do with records of existing objects.",
                form: .choice(["insert", "upsert", "update", "replace"])),
            Parameter(
                name: "input", meaning: "ops if the records are operations; see firn-write(1).",
                form: .choice(["ops"])),
            .values, .zone,
            Parameter(name: "note", meaning: "A note on the commit."),
            Parameter(
                name: "dry-run", meaning: "Run everything, report it, and roll it back.",
                form: .flag),
            Parameter(
                name: "returning", meaning: "Return the written objects instead of the report.",
                form: .flag), .timeout,
        ],
        body: Body(
            meaning: "A statement that ends with set or delete, or records.",
            types: [statementType, "text/plain"] + recordTypes.keys.sorted()),
        types: ["application/json", "application/x-ndjson"]
    ) { call throws(Problem) in
        guard call.service.options.isWritable else {
            throw Problem(
                .forbidden, .fileReadOnly, "this server only reads",
                remedy: "start it with: firn serve --write")
        }
        guard try !call.file().isInput else {
            throw Problem(
                .forbidden, .fileReadOnly, "this file is not a database, and is only read",
                remedy: "make one with: firn create FILE --from INPUT")
        }
        let words = try Route.writeWords(call)
        guard let key = call.request.header("Idempotency-Key") else {
            return call.exchange.respond(Route.written(call, words).response)
        }
        // The same request is done once, however often it arrives.
        let response = try call.service.replies.reply(
            to: "\(try call.file().path)\0\(key)", Route.hash(words, call.request.body)
        ) { Route.written(call, words) }
        call.exchange.respond(response)
    }

    private static func hash(_ words: [String], _ body: [UInt8]) -> UInt64 {
        var bytes: [UInt8] = []
        for word in words { bytes += Array(word.utf8) + [0] }
        let seed = bytes.withUnsafeBytes { Checksum.xxh64($0, seed: 0) }
        return body.withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
    }

    /// Runs the command.
    private static func written(_ call: Call, _ words: [String]) -> WriteReplies.Outcome {
        let sink = MemorySink()
        var hasCommitted = false
        do throws(Problem) {
            try call.noted { notes throws(Problem) in
                var command = ServedCommand(
                    words: words, input: words.contains("-") ? call.request.body : [],
                    timeNanoseconds: call.service.timeNanoseconds(call.arguments), notes: notes)
                command.noteCommit = { hasCommitted = true }
                // A write that has begun is finished even if the client leaves.
                try command.run(call.service.files, to: sink) { false }
            }
        } catch {
            return WriteReplies.Outcome(response: Response(error), hasCommitted: hasCommitted)
        }
        let isReturning = call.arguments.isSet("returning")
        return WriteReplies.Outcome(
            response: Response(
                .ok, type: isReturning ? "application/x-ndjson" : "application/json", sink.bytes),
            hasCommitted: hasCommitted)
    }

    private static func writeWords(_ call: Call) throws(Problem) -> [String] {
        var words = ["write", try call.file().path]
        if !call.arguments.isSet("returning") { words += ["-f", "json"] }
        for flag in ["dry-run", "returning"] where call.arguments.isSet(flag) {
            words.append("--\(flag)")
        }
        if let policy = call.arguments["policy"] { words.append("--\(policy)") }
        if let version = try call.requiredVersion() { words.append("--if-version=\(version)") }
        words += call.arguments.options("class", "parameter", "timezone", "note")
        let type = (call.request.header("Content-Type") ?? "text/plain").prefix { $0 != ";" }
            .filter { $0 != " " }.lowercased()
        if let format = recordTypes[type] {
            return words + ["--input=\(call.arguments["input"] ?? format)", "-"]
        }
        // curl --data names the form of a web page for any text.
        guard [statementType, "text/plain", "application/x-www-form-urlencoded"].contains(type)
        else {
            throw Problem(
                .unsupportedMediaType, .usageArguments,
                "the body is \(SafeText.excerpt(of: type.utf8))",
                remedy:
                    "send \(([statementType, "text/plain"] + recordTypes.keys.sorted()).joined(separator: ", "))"
            )
        }
        guard let text = String(validating: call.request.body, as: UTF8.self) else {
            throw Problem(.badRequest, .inputEncoding, "the statement is not UTF-8")
        }
        return words + ["--execute=\(text)"]
    }
}
