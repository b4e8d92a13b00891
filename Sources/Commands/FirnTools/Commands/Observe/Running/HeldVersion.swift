import FirnEngine
import FirnQuery
import FirnValues

/// The version of a stream, which is held only while there is work to do with it.
///
/// A held version keeps space of the file from being reused. Before a long wait, the version is
/// released; it is reopened by its number.
final class HeldVersion {
    let database: Database
    private(set) var version: LSN
    /// The hash of its commit.
    private(set) var chain: ChainHash
    private var snapshot: DatabaseSnapshot?

    init(_ database: Database, _ snapshot: DatabaseSnapshot) {
        self.database = database
        self.snapshot = snapshot
        version = snapshot.version
        chain = snapshot.snapshot.chain
    }

    /// The position of a reader that has everything up to the version.
    var position: StreamToken { StreamToken(version, chain) }

    /// Returns whether a newest version cannot follow the held one, because an older copy of the file was
    /// put back.
    func isAhead(of newest: DatabaseSnapshot) -> Bool {
        newest.version < version || newest.version == version && newest.snapshot.chain != chain
    }

    /// Returns the version to read.
    ///
    /// - Returns: `nil` if it was released and is no longer kept.
    func current() throws(StoreError) -> DatabaseSnapshot? {
        if let snapshot { return snapshot }
        let found = try HeldVersion.open(version, in: database)
        snapshot = found?.snapshot.chain == chain ? found : nil
        return snapshot
    }

    /// Reopens the version from the nearest root that is kept now.
    ///
    /// - Returns: `nil` if it is no longer kept.
    func reopened() throws(StoreError) -> DatabaseSnapshot? {
        letGo()
        return try current()
    }

    /// Opens a version by its number; returns `nil` if it is no longer kept or does not exist yet.
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
        chain = snapshot.snapshot.chain
    }
}
