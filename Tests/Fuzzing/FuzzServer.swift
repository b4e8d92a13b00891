import FirnFormats
import FirnPlatform
import FirnServe
import FirnTesting
import FirnText
import FirnTools

/// A server of this process, which gets the bytes of all runs, each on a connection of its own.
///
/// A request that is accepted has `Host: h` and `Authorization: Bearer` with 32 `f`.
final class FuzzServer: Sendable {
    static let shared = Result { try FuzzServer() }

    private static let replyStart = Array("HTTP/1.".utf8)
    private static let writePath = Array("/v1/write".utf8)

    private let folder = TemporaryFolder()
    private let server: Server
    private let port: Int

    private init() throws {
        try Self.write(try FuzzMachine.image.get(), to: folder("people.firn"))
        var options = ServeOptions(files: [folder("people.firn")])
        options.isWritable = true
        options.token = String(repeating: "f", count: 32)
        options.hosts = ["h"]
        // A connection without a complete request is closed, so that each run ends.
        options.requestNanoseconds = 30_000_000
        options.timeNanoseconds = 1_000_000_000
        server = try Server(options)
        guard let text = server.url?.split(separator: ":").last,
            let port = Int(text.prefix { $0 != "/" })
        else { throw FuzzFailure(description: "the server has no port") }
        self.port = port
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try SystemServices.real.files.open(path, .createNew)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// Sends bytes, and checks that replies come, or that the connection ends.
    func run(_ bytes: [UInt8]) throws {
        let connection = try HTTPConnection(port: port)
        do { try connection.send(bytes) } catch {
            // A request that is refused early ends the connection before all bytes are sent.
        }
        let reply = try connection.available(patienceMilliseconds: 20_000) { reply in
            // A stream has no end.
            String(decoding: reply, as: UTF8.self).contains("text/event-stream")
        }
        guard reply.isEmpty || reply.starts(with: Self.replyStart) else {
            throw FuzzFailure(description: "no reply: \(String(decoding: reply, as: UTF8.self))")
        }
        if bytes.firstRange(of: Self.writePath) != nil { try check() }
    }

    /// Checks that the database is sound after whatever was done to it.
    private func check() throws {
        let errors = MemorySink()
        let environment = CommandEnvironment(
            services: .real, input: MemorySource([]), output: MemorySink(), errors: errors)
        let ending = FirnCommand.run(["check", folder("people.firn"), "--deep"], in: environment)
        guard ending == .status(.ok) else {
            throw FuzzFailure(description: "the database is not sound: \(errors.text)")
        }
    }
}
