import FirnPlatform
import FirnValues

extension Store {
    /// Runs code that writes pages of the next root, which no other process does meanwhile.
    ///
    /// - Parameters:
    ///   - waitNanoseconds: how long to wait for another writer before giving up.
    ///   - body: gets the newest root and what writes its successor; publishing that is up to it.
    /// - Throws: ``StoreError`` as ``beginWrite(waitNanoseconds:)``, and what the body throws.
    func withCheckpointRight<Result>(
        waitNanoseconds: UInt64,
        _ body: (Snapshot, PageWriter) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard !isReadOnly else {
            throw StoreError(.readOnly, path: path, detail: "the database is open for reading only")
        }
        try checkProcess()
        try acquireWriter(waitNanoseconds: waitNanoseconds)
        defer { releaseWriter() }
        try checkName()
        let snapshot = try snapshot()
        try checkFeatures(snapshot.root.superblock)
        return try body(snapshot, try pageWriter(for: snapshot.root))
    }
}
