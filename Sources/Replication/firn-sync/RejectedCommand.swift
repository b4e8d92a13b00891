import ArgumentParser
import FirnReplication
import FirnValues

/// `firn sync rejected`: shows what the server refused or replaced, and lets a person decide.
struct RejectedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejected",
        abstract: "Show, repeat or drop what the server refused or replaced.",
        discussion: """
            Without numbers, all transactions are listed; with numbers, also their values. --retry makes \
            them again in the file, and the next run sends them. --json prints a line for each change, \
            with all values.
            """)

    @OptionGroup var file: FileArgument

    @Argument(help: ArgumentHelp("The transactions, as listed.", valueName: "NUMBER"))
    var numbers: [UInt64] = []

    @Flag(help: "Make the changes again.")
    var retry = false

    @Flag(help: "Forget the transactions.")
    var drop = false

    @Flag(help: "Choose all transactions.")
    var all = false

    @Flag(help: "Print JSON, a line for each change.")
    var json = false

    func validate() throws {
        guard [retry, drop, json].count(where: { $0 }) <= 1 else {
            throw ValidationError("use one of --retry, --drop and --json")
        }
        guard !(retry || drop) || all == numbers.isEmpty else {
            throw ValidationError("name the transactions, or choose all with --all")
        }
    }

    func run() throws {
        let upstream =
            retry || drop ? try file.upstream() : Upstream(try file.open(readOnly: true))
        let items = try SyncFailure.run { () throws(UpstreamError) in try upstream.rejected() }
        let known = Set(items.map(\.number))
        if let missing = numbers.first(where: { !known.contains($0) }) {
            throw SyncFailure.end(
                "there is no rejected transaction \(missing)",
                "see the numbers with: firn sync rejected \(file.file)", 66)
        }
        let chosen = numbers.isEmpty ? items : items.filter { numbers.contains($0.number) }
        if drop {
            return try SyncFailure.run { () throws(UpstreamError) in
                try upstream.dropRejected(Set(chosen.map(\.number)))
            }
        }
        if retry { return try repeatAll(chosen, upstream) }
        if json {
            let lines = try SyncFailure.run { () throws(UpstreamError) in
                try upstream.rejectedLines(Set(chosen.map(\.number)))
            }
            for line in lines { SyncOutput.print(line + "\n") }
            return
        }
        for item in chosen { show(item) }
    }

    /// Retries the transactions one at a time; a failure does not undo the earlier ones.
    private func repeatAll(_ items: [Upstream.Rejected], _ upstream: Upstream) throws {
        for item in items {
            try SyncFailure.run { () throws(UpstreamError) in
                try upstream.retryRejected(item.number)
            }
        }
        SyncOutput.report(
            "retried: \(CountText.of(UInt64(items.count), "transaction")); send with: "
                + "firn sync run \(file.file) --once\n")
    }

    private func show(_ item: Upstream.Rejected) {
        SyncOutput.print("\(item.number)  \(SafeText.escaping(item.reason))\n")
        for change in item.changes {
            let time = Timestamp(
                seconds: change.milliseconds / 1000,
                nanoseconds: change.milliseconds % 1000 * 1_000_000)
            SyncOutput.print(
                "   \(change.verb) \(SafeText.escaping("\(change.className) \(change.key)"))  \(time)\n"
            )
            guard !numbers.isEmpty else { continue }
            for property in change.properties {
                var line = "      \(property.name): \(property.value ?? "nil")"
                if let other = property.other { line += "  (instead of \(other ?? "nil"))" }
                SyncOutput.print(SafeText.escaping(line) + "\n")
            }
        }
    }
}
