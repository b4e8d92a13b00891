import FirnEngine
import FirnPlatform

/// The temporary file of a statement, which several threads share.
final class StatementFile: Sendable {
    private let snapshot: Snapshot
    private let made = Guarded<SpillFile?>(nil)

    init(of snapshot: Snapshot) { self.snapshot = snapshot }

    /// Returns the file, which is created on first access.
    func file() throws(StoreError) -> SpillFile {
        try made.withLock { made throws(StoreError) in
            if let made { return made }
            let file = try snapshot.makeSpillFile()
            made = file
            return file
        }
    }
}
