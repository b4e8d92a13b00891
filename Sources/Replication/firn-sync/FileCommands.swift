import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnReplication
import FirnValues

/// `firn sync attach`: attaches a file to a server.
struct AttachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Attach a file to a server, and subscribe to queries.",
        discussion: """
            Objects that the file already has are uploaded by the first run, unless the server has \
            an object of the same key or has deleted it: then the server's state is taken, and the \
            run names the objects that differed. With --prefer file, the file's state is sent instead. Each query \
            filters one class, such as 'Task done == false'; several queries of a class are joined \
            by OR.
            """)

    @OptionGroup var file: FileArgument

    @Argument(
        help: ArgumentHelp("The connection string or URL, without a password.", valueName: "URL"))
    var address: String

    @Argument(help: ArgumentHelp("The objects to replicate.", valueName: "QUERY"))
    var queries: [String] = []

    /// The side whose state prevails.
    enum Side: String, ExpressibleByArgument, CaseIterable {
        case server, file
    }

    @Option(help: "The side that prevails if both have an object: server or file.")
    var prefer = Side.server

    func run() throws {
        let upstream = try file.upstream()
        let subscriptions = try queries.map { query throws in
            try SyncFailure.run { () throws(UpstreamError) in try upstream.subscription(query) }
        }
        try SyncFailure.run { () throws(UpstreamError) in
            try upstream.attach(
                address, client: upstream.newIdentity(), prefersFile: prefer == .file)
            for query in subscriptions { try upstream.subscribe(query, id: upstream.newIdentity()) }
        }
        SyncOutput.report(
            subscriptions.isEmpty
                ? "attached; choose the objects with: firn sync subscribe \(file.file) QUERY\n"
                : "attached; replicate with: firn sync run \(file.file)\n")
        try SyncOutput.reportUnsubscribedClasses(readBy: subscriptions, upstream, file.file)
    }
}

extension SyncOutput {
    /// Reports the classes whose objects decide about queries but are not in the file.
    fileprivate static func reportUnsubscribedClasses(
        readBy queries: [BoundQuery], _ upstream: Upstream, _ file: String
    ) throws {
        var names: TextSet = []
        for query in queries {
            let read = try SyncFailure.run { () throws(UpstreamError) in
                try upstream.unsubscribedClasses(readBy: query)
            }
            names.formUnion(TextSet(read))
        }
        for name in names.sorted() {
            let name = SafeText.escaping(name)
            report(
                "links to \(name) are nil in the file until it has these objects: "
                    + "firn sync subscribe \(file) \(name)\n")
        }
    }
}

/// `firn sync subscribe`: adds objects to the subset.
struct SubscribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe", abstract: "Add objects to the subset of a file.")

    @OptionGroup var file: FileArgument

    @Argument(help: ArgumentHelp("The objects to replicate.", valueName: "QUERY"))
    var query: String

    func run() throws {
        let upstream = try file.upstream()
        let bound = try SyncFailure.run { () throws(UpstreamError) in
            let bound = try upstream.subscription(query)
            try upstream.subscribe(bound, id: upstream.newIdentity())
            return bound
        }
        try SyncOutput.reportUnsubscribedClasses(readBy: [bound], upstream, file.file)
    }
}

/// `firn sync unsubscribe`: removes objects from the subset.
struct UnsubscribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe",
        abstract: "Remove objects from the subset of a file; the server keeps them.")

    @OptionGroup var file: FileArgument

    @Argument(help: ArgumentHelp("The query of the subscription.", valueName: "QUERY"))
    var query: String

    func run() throws {
        let upstream = try file.upstream()
        let found = try SyncFailure.run { () throws(UpstreamError) in
            try upstream.unsubscribe(try upstream.subscription(query))
        }
        guard found else {
            throw SyncFailure.end(
                "there is no subscription to \(query)", "see: firn sync status \(file.file)", 66)
        }
    }
}

/// `firn sync run`: replicates.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Replicate until Ctrl-C, or once.",
        discussion: """
            One cycle ends with 3 if it is done, but something of the file was refused or replaced: see \
            it with 'firn sync rejected FILE'.
            """)

    @OptionGroup var file: FileArgument

    @Flag(name: .long, help: "Run one cycle, and end.")
    var once = false

    func run() throws {
        let upstream = try file.upstream()
        if once {
            let report = try SyncFailure.run { () throws(UpstreamError) in
                try upstream.synchronize()
            }
            print(report)
            if report.isEmpty { SyncOutput.report("nothing to do\n") }
            if report.delay != nil { throw ExitCode(75) }
            if report.needsDecision { throw ExitCode(3) }
            return
        }
        var isOffline = false
        try SyncFailure.run { () throws(UpstreamError) in
            try upstream.follow { result in
                switch result {
                case .success(let report):
                    isOffline = false
                    print(report)
                case .failure(let error):
                    if !isOffline {
                        SyncOutput.report("offline, trying again: \(error.detail)\n")
                    }
                    isOffline = true
                }
            }
        }
        if let signal = Signals.pending { ProcessExit.raise(signal: signal) }
    }

    private func print(_ report: Upstream.Report) {
        let end = StandardStream.error.isTerminal ? "\u{1B}[K" : ""
        if report.pushed > 0 || report.pulled > 0 {
            var parts: [String] = []
            if report.pushed > 0 {
                parts.append(
                    "sent \(CountText.of(UInt64(clamping: report.pushed), "transaction"))")
            }
            if report.pulled > 0 {
                parts.append("changed \(CountText.of(UInt64(report.pulled), "object")) here")
            }
            SyncOutput.report("\r\(end)\(parts.joined(separator: ", "))\n")
        }
        if !report.removed.isEmpty {
            let objects = report.removed.prefix(5).joined(separator: ", ")
            SyncOutput.report(
                "on the server, and no longer here, because no subscription selects "
                    + "\(CountText.of(UInt64(report.removed.count), "new object")): "
                    + "\(SafeText.escaping(objects))\(report.removed.count > 5 ? ", ..." : "")\n")
        }
        print(report.replaced)
        for item in report.skipped.prefix(Self.namesMaximum) {
            SyncOutput.report(
                "left out until it changes: \(SafeText.escaping(item.object)): "
                    + "\(SafeText.escaping(item.reason))\n")
        }
        if report.skipped.count > Self.namesMaximum {
            SyncOutput.report("  and \(report.skipped.count - Self.namesMaximum) more\n")
        }
        if let delay = report.delay {
            SyncOutput.report(
                "not sent yet, because another program of the server holds a lock: "
                    + "\(SafeText.escaping(delay))\n")
        }
        for refusal in report.refused {
            let objects = refusal.objects.prefix(5).joined(separator: ", ")
            SyncOutput.report(
                "refused by the server and \(refusal.isKept ? "kept" : "undone") here: "
                    + "\(SafeText.escaping(objects)): \(SafeText.escaping(refusal.reason))\n")
        }
        if !report.collisions.isEmpty {
            let objects = report.collisions.prefix(5).joined(separator: ", ")
            SyncOutput.report(
                "created here and elsewhere with other values, of which the later ones stay: "
                    + "\(SafeText.escaping(objects))\(report.collisions.count > 5 ? ", ..." : "")\n"
            )
        }
        if report.needsDecision {
            SyncOutput.report("  see the values with: firn sync rejected \(file.file)\n")
        }
    }
}

extension Upstream.Report {
    /// Whether something of the file is among the rejected transactions.
    fileprivate var needsDecision: Bool {
        !(refused.isEmpty && collisions.isEmpty && replaced.isEmpty)
    }
}

extension RunCommand {
    /// The number of objects that are named.
    private static let namesMaximum = 20

    private func print(_ replaced: [ReplacedObject]) {
        guard !replaced.isEmpty else { return }
        SyncOutput.report(
            "\(CountText.of(UInt64(replaced.count), "object")) of the file differed, and the server's "
                + "state was taken:\n")
        for item in replaced.prefix(Self.namesMaximum) {
            SyncOutput.report(
                "  \(SafeText.escaping(item.object)): \(SafeText.escaping(item.reason))\n")
        }
        if replaced.count > Self.namesMaximum {
            SyncOutput.report("  and \(replaced.count - Self.namesMaximum) more\n")
        }
    }
}

/// `firn sync status`: shows the state.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the server, the subscriptions and what is not sent.")

    @OptionGroup var file: FileArgument

    func run() throws {
        let database = try file.open(readOnly: true)
        let upstream = Upstream(database)
        let record = try SyncFailure.run { () throws(UpstreamError) in try upstream.record() }
        let pending = try SyncFailure.run { () throws(UpstreamError) in
            try upstream.pendingCount()
        }
        let queries = try SyncFailure.run { () throws(UpstreamError) in
            try upstream.subscriptions()
        }
        let rejected = try SyncFailure.run { () throws(UpstreamError) in
            try upstream.rejected().count
        }
        SyncOutput.print(
            """
            server    \(SafeText.escaping(record.address))
            identity  \(record.client)
            state     \(record.token.isEmpty ? "not replicated yet" : "replicated")
            not sent  \(CountText.of(UInt64(pending), "change"))
            rejected  \(CountText.of(UInt64(rejected), "transaction"))

            """)
        for query in queries { SyncOutput.print("query     \(SafeText.escaping(query))\n") }
    }
}

/// `firn sync verify`: compares both sides.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the subset with the server; exits with 1 if they differ.")

    @OptionGroup var file: FileArgument

    func run() throws {
        let upstream = try file.upstream()
        let comparisons = try SyncFailure.run { () throws(UpstreamError) in try upstream.verify() }
        for comparison in comparisons {
            let state = comparison.isEqual ? "equal" : "different"
            SyncOutput.print(
                "\(comparison.className): \(state), \(comparison.localCount) here, "
                    + "\(comparison.serverCount) on the server\n")
            for key in comparison.differences {
                SyncOutput.print("  \(SafeText.escaping(key))\n")
            }
        }
        if comparisons.contains(where: { !$0.isEqual }) { throw ExitCode(1) }
    }
}

/// `firn sync reset`: starts again.
struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Begin again after the server was restored or the file was offline too long.",
        discussion: """
            The file takes the data of the server, and keeps its changes that were not sent. A \
            server that was restored from a backup gets the objects of the file again, unless it \
            has later changes of them. With --discard, changes that were not sent are lost, and \
            so is what the server lost.
            """)

    @OptionGroup var file: FileArgument

    @Flag(name: .long, help: "Take the data of the server, and drop what was not sent.")
    var discard = false

    func run() throws {
        let upstream = try file.upstream()
        try SyncFailure.run { () throws(UpstreamError) in
            try upstream.reset(discard ? .discard : .recover, client: upstream.newIdentity())
        }
        SyncOutput.report("continue with: firn sync run \(file.file)\n")
    }
}

/// `firn sync detach`: ends the replication of a file.
struct DetachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detach",
        abstract: "End the replication of a file; its objects stay in it.")

    @OptionGroup var file: FileArgument

    @Flag(name: .long, help: "Drop changes that were not sent.")
    var force = false

    func run() throws {
        let upstream = try file.upstream()
        let pending = try SyncFailure.run { () throws(UpstreamError) in
            try upstream.pendingCount()
        }
        guard force || pending == 0 else {
            throw SyncFailure.end(
                "not on the server yet: \(CountText.of(UInt64(pending), "change"))",
                "send them with: firn sync run \(file.file) --once; or drop them with --force", 75)
        }
        try SyncFailure.run { () throws(UpstreamError) in try upstream.detach() }
    }
}
