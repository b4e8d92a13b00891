import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools
import FirnValues

@testable import FirnServe

/// A server of its own for a test, with a database of people.
final class TestServer {
    let folder = TemporaryFolder()
    let file: String
    let server: Server
    let port: Int
    let token: String

    init(
        rows: String = "7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n",
        _ change: (inout ServeOptions) -> Void = { _ in }
    ) throws {
        file = folder("people.firn")
        let csv = folder("people.csv")
        try Fixtures.write("id,name,age,city\n" + rows, to: csv)
        try TestServer.run([
            "create", file, "--from", csv, "--class", "Person", "--key", "id", "-q",
        ])
        var options = ServeOptions(files: [file])
        change(&options)
        server = try Server(options)
        let url = server.url ?? ""
        token = options.token ?? url.split(separator: "=").last.map(String.init) ?? ""
        port =
            url.split(separator: ":").last.flatMap { Int($0.prefix { $0 != "/" }) } ?? 0
    }

    deinit { server.end() }

    /// Runs `firn` in this process.
    @discardableResult
    static func run(_ words: [String]) throws -> String {
        let output = MemorySink()
        let errors = MemorySink()
        let ending = FirnCommand.run(
            words,
            in: CommandEnvironment(
                services: .real, input: MemorySource([]), output: output, errors: errors))
        // diff ends with 1 if there are differences.
        guard ending == .status(.ok) || ending == .status(.no) else {
            throw TestFailure("\(words): \(errors.text)")
        }
        return output.text
    }

    /// Returns the head of a request, up to and including the empty line.
    func head(
        _ method: String, _ target: String, _ headers: [String: String] = [:]
    ) -> String {
        var all = ["Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(token)"]
        all.merge(headers) { $1 }
        let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }
        return "\(method) \(target) HTTP/1.1\r\n\(lines.sorted().joined())\r\n"
    }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String = "GET", _ target: String, _ headers: [String: String] = [:],
        body: String = ""
    ) throws -> HTTPConnection.Reply {
        let connection = try HTTPConnection(port: port)
        var headers = headers
        headers["Connection"] = headers["Connection"] ?? "close"
        if !body.isEmpty { headers["Content-Length"] = String(body.utf8.count) }
        try connection.send(head(method, target, headers) + body)
        return try connection.reply(hasBody: method != "HEAD")
    }

    /// Returns a text in the form of a parameter.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// Begins to observe a query.
    func observe(
        _ query: String, after id: String? = nil, _ parameters: String = "",
        receiveByteCount: Int32 = 0
    ) throws -> EventStream {
        let connection = try HTTPConnection(port: port, receiveByteCount: receiveByteCount)
        try connection.send(
            head(
                "GET", "/v1/observe?q=\(TestServer.encoded(query))\(parameters)",
                ["Last-Event-ID": id ?? ""]))
        return EventStream(connection)
    }

    func write(_ statement: String) throws {
        try TestServer.run(["write", file, "-q", "-x", statement])
    }
}

/// The events of one connection.
final class EventStream {
    struct Event: Equatable {
        var id: String?
        var type = ""
        var data = ""

        /// The number of a member of the data.
        func number(_ name: String) -> Int? {
            guard let range = data.firstRange(of: "\"\(name)\":") else { return nil }
            return Int(data[range.upperBound...].prefix { $0.isNumber })
        }
    }

    private let connection: HTTPConnection
    private var head: HTTPConnection.Reply?
    private var buffer: [UInt8] = []

    init(_ connection: HTTPConnection) { self.connection = connection }

    /// Returns the next event that is not a heartbeat.
    func next() throws -> Event {
        if head == nil {
            let reply = try connection.reply(hasBody: false)
            guard reply.status == 200 else { throw TestFailure("status \(reply.status)") }
            head = reply
        }
        while true {
            while let end = buffer.firstRange(of: Array("\n\n".utf8)) {
                var event = Event()
                let text = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                for line in text.split(separator: "\n") {
                    if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                    if line.hasPrefix("event: ") { event.type = String(line.dropFirst(7)) }
                    if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                }
                buffer.removeSubrange(..<end.upperBound)
                if event.type != "heartbeat" { return event }
            }
            let part = try connection.chunk()
            guard !part.isEmpty else { throw TestFailure("the stream has ended") }
            buffer += part
        }
    }
}
