import FirnEngine
import FirnQuery
import FirnTools
import FirnValues

/// The last versions: when each was committed, and what it changed.
struct VersionListing {
    private(set) var text = ""
    private(set) var json = ""

    /// - Parameter countMax: how many versions at most, the newest first.
    /// - Complexity: O(operations of these versions)
    init(_ store: Store, countMax: Int) throws(StoreError) {
        let report = try store.versions()
        var names: [LSN: [String]] = [:]
        for kept in report.freezes {
            names[kept.freeze.version, default: []].append(kept.freeze.name)
        }
        var rows = [["version", "time", "+", "~", "-", ""]]
        var newer: Snapshot?
        var number = report.newest.rawValue
        while number >= report.oldest.rawValue, rows.count <= countMax {
            let snapshot: Snapshot
            if let newer {
                snapshot = newer
            } else {
                snapshot = try store.snapshot(at: .number(LSN(number)))
            }
            var older: Snapshot?
            var changes: VersionChanges?
            if number > report.oldest.rawValue {
                let before = try store.snapshot(at: .number(LSN(number - 1)))
                older = before
                changes = try store.changes(from: before, to: snapshot)
            }
            add(LSN(number), changes, names[LSN(number)] ?? [], &rows)
            newer = older
            guard number > 0 else { break }
            number -= 1
        }
        text = TextColumns.aligned(rows, right: [0, 2, 3, 4])
    }

    private mutating func add(
        _ version: LSN, _ changes: VersionChanges?, _ names: [String], _ rows: inout [[String]]
    ) {
        var record = JSONObject()
        record.add("version", Int64(clamping: version.rawValue))
        var row = ["\(version.rawValue)", "", "", "", "", ""]
        if let seconds = changes?.time.map({ $0 / 1_000_000_000 }) {
            row[1] = TextBuffer.moment(seconds)
            record.add("time", momentSeconds: seconds)
        }
        if let classes = changes?.classes.values {
            let counts = [
                ("inserted", classes.reduce(0) { $0 + $1.created.count }),
                ("updated", classes.reduce(0) { $0 + $1.modified.count }),
                ("deleted", classes.reduce(0) { $0 + $1.deleted.count }),
            ]
            for (index, count) in counts.enumerated() {
                row[2 + index] = Amounts.count(UInt64(count.1))
                record.add(count.0, Int64(count.1))
            }
        }
        var notes = names.map { "frozen as \"\(SafeText.escaping($0))\"" }
        if changes?.schemaChanged == true { notes.insert("classes changed", at: 0) }
        row[5] = notes.joined(separator: ", ")
        record.add("freezes", names)
        rows.append(row)
        json += record.text + "\n"
    }
}
