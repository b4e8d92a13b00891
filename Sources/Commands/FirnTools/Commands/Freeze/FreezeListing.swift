import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// `freeze --list` and `freeze --exists`, which only read.
struct FreezeListing {
    private let options: FreezeCommand
    private let environment: CommandEnvironment

    init(_ options: FreezeCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
    }

    private func freezes() throws(CommandFailure) -> [VersionsReport.KeptFreeze] {
        do {
            let store = try Store.open(
                options.file, readOnly: true, services: environment.services)
            environment.reportOpened(options.file, store)
            return try store.versions().freezes
        } catch { throw CommandFailure(error) }
    }

    func exists(_ name: String) throws(CommandFailure) -> ExitStatus {
        try freezes().contains { $0.freeze.name == name } ? .ok : .no
    }

    func run() throws(CommandFailure) -> ExitStatus {
        let freezes = try freezes()
        let now = environment.services.clock.wallTime().seconds
        switch options.format.resolved(environment) {
        case .text:
            try environment.print(FreezeListing.text(freezes, now: now))
            if freezes.isEmpty, !options.isQuiet {
                environment.note("\(SafeText.escaping(options.file)) has no freezes\n")
            }
        case .json:
            let records = freezes.map { FreezeListing.record($0).text }
            try environment.print(
                records.isEmpty ? "[]\n" : "[\n\(records.joined(separator: ",\n"))\n]\n")
        case .ndjson:
            try environment.print(freezes.map { FreezeListing.record($0).text + "\n" }.joined())
        }
        return .ok
    }

    static func text(_ freezes: [VersionsReport.KeptFreeze], now: Int64) -> String {
        guard !freezes.isEmpty else { return "" }
        var rows = [["name", "version", "age", "expires", "keeps", "note"]]
        rows += freezes.map { kept in
            [
                SafeText.escaping(kept.freeze.name), "\(kept.freeze.version.rawValue)",
                Formatting.age(kept.freeze.age(at: now)),
                kept.freeze.remaining(at: now).map { "in \(Formatting.age($0))" } ?? "never",
                Formatting.bytes(kept.heldByteCount), SafeText.escaping(kept.freeze.note),
            ]
        }
        return TextColumns.aligned(rows, right: [1, 2, 4])
    }

    static func record(_ kept: VersionsReport.KeptFreeze) -> JSONObject {
        var json = kept.freeze.record
        json.add("bytes_held", Int64(clamping: kept.heldByteCount))
        return json
    }
}
