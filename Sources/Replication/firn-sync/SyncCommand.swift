import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnReplication
import FirnValues

/// `firn sync`: replicates files with PostgreSQL.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", _superCommandName: "firn",
        abstract: "Keep a subset of a PostgreSQL database in a file, and replicate both ways.",
        discussion: """
            A first session:
              firn sync init app.firn 'host=db.example.org dbname=app'
              firn sync attach app.firn 'host=db.example.org dbname=app' 'Task owner == "Ada"'
              firn sync run app.firn

            The server is the authority; the file holds the objects that its subscriptions select \
            and can be used offline. Passwords come from ~/.pgpass, PGPASSFILE, PGPASSWORD or a \
            service file, never from the command line.
            """,
        subcommands: [
            DefinitionCommand.self, SchemaCommand.self, InitCommand.self, AttachCommand.self,
            SubscribeCommand.self,
            UnsubscribeCommand.self, RunCommand.self, StatusCommand.self, VerifyCommand.self,
            RejectedCommand.self, ResetCommand.self, DetachCommand.self,
        ])
}

/// The database that a command works on.
struct FileArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    func open(readOnly: Bool = false) throws -> Database {
        try SyncFailure.converting { () throws(StoreError) in
            try Database.open(file, readOnly: readOnly)
        }
    }

    /// Opens the database, which is created if there is none.
    func openOrCreate() throws -> Database {
        guard (try? SystemServices.real.files.status(of: file)) ?? nil == nil else {
            return try open()
        }
        return try SyncFailure.converting { () throws(StoreError) in
            let creation = try Store.create(file, services: .real)
            try creation.publish()
            return Database(creation.store)
        }
    }

    func upstream() throws -> Upstream {
        let upstream = Upstream(try open()) { Signals.pending != nil }
        if StandardStream.error.isTerminal {
            let line = ReadingProgress(upstream.clock)
            upstream.progress = { name, done, total in line.update(name, done: done, of: total) }
        }
        return upstream
    }
}

/// The errors of the commands, with their exit statuses.
enum SyncFailure {
    static func converting<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws -> Result {
        do { return try body() } catch { throw end(error.detail, error.remedy, 66) }
    }

    /// Runs a step of replication; its error is printed, and ends the program.
    static func run<Result>(_ body: () throws(UpstreamError) -> Result) throws -> Result {
        do { return try body() } catch { throw failure(error) }
    }

    static func failure(_ error: UpstreamError) -> ExitCode {
        if error.code == .stopped, let signal = Signals.pending {
            SyncOutput.report(
                "interrupted: everything acknowledged is in the file or on the server; the next "
                    + "run goes on from there\n")
            ProcessExit.raise(signal: signal)
        }
        return end(error.detail, error.remedy, status(error.code))
    }

    static func end(_ message: String, _ remedy: String?, _ status: Int32) -> ExitCode {
        SyncOutput.report("error: \(SafeText.escaping(message))\n")
        if let remedy { SyncOutput.report("  \(remedy)\n") }
        return ExitCode(status)
    }

    private static func status(_ code: UpstreamError.Code) -> Int32 {
        switch code {
        case .unreachable, .resetNeeded, .fenced: 69
        case .authentication, .permission: 77
        case .address, .state: 64
        case .notPrepared: 78
        case .schema, .unsupported, .notPushable: 65
        case .server, .conflict, .stopped: 75
        case .store: 74
        }
    }
}

/// The standard streams.
enum SyncOutput {
    static func print(_ text: String) {
        var text = text
        text.withUTF8 { try? StandardStream.output.write(UnsafeRawBufferPointer($0)) }
    }

    static func report(_ text: String) {
        var text = text
        text.withUTF8 { try? StandardStream.error.write(UnsafeRawBufferPointer($0)) }
    }
}
