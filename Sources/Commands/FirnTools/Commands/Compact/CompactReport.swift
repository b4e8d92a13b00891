import FirnEngine
import FirnFormats
import FirnValues

/// The result of a compaction, or of a dry run.
struct CompactReport {
    let file: String
    /// The file that was written instead of the database.
    var output: String?
    var version: LSN
    /// The space now, with everything that holds older versions.
    var space: SpaceReport
    private let freezes: [Freeze]
    /// The current time in seconds since 1970.
    private let now: Int64
    /// Sizes in bytes.
    let before: UInt64
    var after: UInt64
    /// The reason why nothing was done.
    var skipReason: String?
    var isDryRun = false
    var nanoseconds: UInt64 = 0

    init(file: String, version: LSN, space: SpaceReport, freezes: [Freeze], now: Int64) {
        self.file = file
        self.version = version
        self.space = space
        self.freezes = freezes
        self.now = now
        before = space.fileByteCount
        after = before
    }

    /// The percentage of the size that was saved; negative if the file grew.
    private var saved: Int64 {
        guard before > 0 else { return 0 }
        return Int64(((1 - Double(after) / Double(before)) * 100).rounded())
    }

    var text: String {
        let name = SafeText.escaping(file)
        if let skipReason { return "\(name): nothing to do, \(skipReason)\n" }
        var text = isDryRun ? "would compact " : "compacted "
        text += name
        if let output { text += " to \(SafeText.escaping(output))" }
        text += ": \(Formatting.bytes(before)) -> \(Formatting.bytes(after))"
        return text + (saved > 0 ? ", \(saved)% saved\n" : "\n")
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "compact")
        json.add("file", file)
        if let output { json.add("output", output) }
        json.add("version", Int64(clamping: version.rawValue))
        json.add("skipped", skipReason != nil)
        if isDryRun { json.add("dryRun", true) }
        json.add("before", Int64(clamping: before))
        json.add("after", Int64(clamping: after))
        json.add("saved", hundredths: saved)
        json.add("kept_versions", output == nil ? space.holders.map { $0.record(freezes) } : [])
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }

    /// The bytes that could not be reclaimed and their holders, or `nil` if there are none.
    var heldText: String? {
        guard space.heldByteCount > 0 else { return nil }
        // Without freezes and readers, the next compaction reclaims this space.
        let holders = space.holders.filter { $0.kind != .history }
        guard !holders.isEmpty else { return nil }
        let names = holders.map { $0.text(freezes, now: now) }
        return
            "\(Formatting.bytes(space.heldByteCount)) held by \(names.joined(separator: " and "))\n"
    }
}

extension SpaceReport {
    /// The bytes that a compaction can reclaim: the free space, and the versions without a name.
    var reclaimableByteCount: UInt64 {
        holders.reduce(freeByteCount) { sum, holder in
            holder.kind == .history ? sum + holder.byteCount : sum
        }
    }
}
