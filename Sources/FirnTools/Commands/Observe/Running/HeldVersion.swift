import FirnEngine
import FirnQuery
import FirnValues

/// The version that a stream is at, kept readable only while there is work to do with it.
///
/// A version that is held keeps space of the file from being used again. Whoever is about to wait
/// for somebody else lets go of it, and opens it again by its number.
final class HeldVersion {
    let database: Database
    private(set) var version: LSN
    private var snapshot: DatabaseSnapshot?

    init(_ database: Database, _ snapshot: DatabaseSnapshot) {
        self.database = database
        self.snapshot = snapshot
        version = snapshot.version
    }

    /// The version to read.
    ///
    /// - Returns: `nil` if it was given up and is not kept any more.
    func current() throws(StoreError) -> DatabaseSnapshot? {
        if let snapshot { return snapshot }
        snapshot = try HeldVersion.open(version, in: database)
        return snapshot
    }

    /// The version again, from the nearest root that is kept now.
    ///
    /// - Returns: `nil` if it is not kept any more.
    func reopened() throws(StoreError) -> DatabaseSnapshot? {
        letGo()
        return try current()
    }

    /// A version by its number; `nil` if it is not kept any more or does not exist yet.
    static func open(
        _ version: LSN, in database: Database
    ) throws(StoreError) -> DatabaseSnapshot? {
        do {
            return try database.snapshot(at: .number(version))
        } catch {
            guard error.code == .versionGone else { throw error }
            return nil
        }
    }

    func letGo() { snapshot = nil }

    func move(to snapshot: DatabaseSnapshot) {
        self.snapshot = snapshot
        version = snapshot.version
    }
}
