import FirnPlatform

/// The rights of one handle; see ``LockMap`` for what they mean and their order.
struct StoreRights: Sendable {
    let writer: FileRight
    let sync: FileRight
    let checkpoint: FileRight
    let compaction: FileRight
    /// In front of ``LockMap/region``, which the threads of a process share.
    let region = Lock()
    /// Around every sync of the file: the system tells a failure once per open file, and the thread
    /// that it tells must have stopped the others before one of them asks again.
    let dataSync = Lock()

    init(file: any File) {
        writer = FileRight(LockMap.writer, of: file)
        sync = FileRight(LockMap.sync, of: file)
        checkpoint = FileRight(LockMap.checkpoint, of: file)
        compaction = FileRight(LockMap.compaction, of: file)
    }
}
