package import ArgumentParser
package import FirnFormats
import FirnPlatform
package import FirnTools
import FirnValues

/// `firn serve`: answers HTTP requests for databases.
package struct ServeCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve", _superCommandName: "firn",
        abstract: "Serve databases over HTTP: queries, live streams, writes.",
        usage: "firn serve FILE... [OPTIONS]",
        discussion: """
            Examples:
              firn serve app.firn
              firn serve app.firn --write --port 8080
              firn serve *.firn --socket /run/firn.sock

            The server prints one URL with a random token, which every request needs: in the \
            cookie firn-token-PORT, or as Authorization: Bearer TOKEN. It listens on 127.0.0.1 and only \
            reads, unless --listen and --write say otherwise. Its interface is described at \
            /v1/openapi.json and in firn-serve(1).
            """,
        version: FirnCommand.version)

    @Argument(
        help: ArgumentHelp(
            "The databases; other files that firn query reads are served as they are now.",
            valueName: "FILE"))
    var files: [String]

    @Option(help: ArgumentHelp("The port.", valueName: "N"))
    var port = 3476

    @Option(
        help: ArgumentHelp(
            "The address to listen on; beyond this machine, --token-file is needed.",
            valueName: "ADDRESS"))
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("Listen on a socket file instead of a port.", valueName: "PATH"))
    var socket: String?

    @Option(
        help: ArgumentHelp("The permissions of the socket file, in octal.", valueName: "MODE"))
    var socketMode = "600"

    @Flag(help: "Accept writes.")
    var write = false

    @Option(
        help: ArgumentHelp(
            "Read the token from this file, instead of making one.", valueName: "PATH"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Another name of this server, such as that of the proxy; repeatable.",
            valueName: "NAME"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let pages of this origin use the server; repeatable.", valueName: "ORIGIN"))
    var allowOrigin: [String] = []

    @Option(help: ArgumentHelp("The seconds that a request may take.", valueName: "SECONDS"))
    var timeout = 30

    @Option(
        help: ArgumentHelp(
            "The megabytes for the rows that a statement sorts and groups.", valueName: "N"))
    var maxMemory = 256

    @Option(help: ArgumentHelp("The megabytes of a request.", valueName: "N"))
    var maxBody = 64

    @Option(help: ArgumentHelp("The requests that run at the same time.", valueName: "N"))
    var maxQueries = 8

    @Option(help: ArgumentHelp("The different queries that are observed.", valueName: "N"))
    var maxStreams = 256

    @Option(help: ArgumentHelp("The open connections.", valueName: "N"))
    var maxConnections = 2048

    @Option(help: ArgumentHelp("Exit after this many seconds without a request.", valueName: "N"))
    var idleExit: Int?

    @Flag(name: .shortAndLong, help: "Print only the URL.")
    var quiet = false

    package init() {}

    package mutating func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be from 0 to 65535")
        }
        for (name, value) in [
            ("--timeout", timeout), ("--max-memory", maxMemory), ("--max-body", maxBody),
            ("--max-queries", maxQueries), ("--max-streams", maxStreams),
            ("--max-connections", maxConnections), ("--idle-exit", idleExit ?? 1),
        ] where !(1...1_000_000).contains(value) {
            throw ValidationError("\(name) must be from 1 to 1000000")
        }
        guard UInt32(socketMode, radix: 8).map({ $0 <= 0o777 }) ?? false else {
            throw ValidationError("--socket-mode must be octal, such as 660")
        }
        let isLocal = listen == "localhost" || listen == "::1" || listen.hasPrefix("127.")
        guard isLocal || tokenFile != nil || socket != nil else {
            throw ValidationError(
                "--listen \(listen) needs --token-file; encryption is the task of a proxy in front, "
                    + "see firn-serve(1)")
        }
    }

    /// Returns the options, with the token from the file.
    package func options(
        _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ServeOptions {
        // A word is never taken for an option of a command.
        var options = ServeOptions(files: files.map { $0.hasPrefix("-") ? "./\($0)" : $0 })
        options.address =
            if let descriptor = ServeCommand.inherited(environment) {
                .inherited(descriptor: descriptor)
            } else if let socket {
                .socket(path: socket, mode: UInt32(socketMode, radix: 8) ?? 0o600)
            } else {
                .port(host: listen, port)
            }
        options.isWritable = write
        options.token = try token(environment)
        options.hosts = host
        options.allowedOrigins = allowOrigin
        options.timeNanoseconds = UInt64(timeout) * 1_000_000_000
        options.statementByteCount = maxMemory << 20
        options.bodyByteCountMaximum = UInt64(maxBody) << 20
        options.queryCountMaximum = maxQueries
        options.streamCountMaximum = maxStreams
        options.connectionCountMaximum = maxConnections
        options.idleExitNanoseconds = idleExit.map { UInt64($0) * 1_000_000_000 }
        options.isQuiet = quiet
        return options
    }

    /// The first descriptor that systemd passes on.
    private static let firstDescriptor: Int32 = 3

    /// Returns the socket that systemd has opened for this process, or `nil`; see sd_listen_fds(3).
    private static func inherited(_ environment: CommandEnvironment) -> Int32? {
        guard environment.variable("LISTEN_FDS") == "1",
            environment.variable("LISTEN_PID") == String(Environment.processNumber)
        else { return nil }
        return firstDescriptor
    }

    private func token(_ environment: CommandEnvironment) throws(CommandFailure) -> String? {
        guard let tokenFile else { return nil }
        let text = try SmallText.read(
            tokenFile, called: "the token", bytesMax: 4096, environment)
        let token = String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
        guard AccessToken(token) != nil else {
            throw .diagnostic(
                .usage(
                    "\(SafeText.escaping(tokenFile)) has no token",
                    remedy: "write 16 to 512 printable characters without blanks into it"))
        }
        return token
    }
}
