import FirnPlatform

/// The rights of one handle; see ``LockMap`` for what they mean and their order.
struct StoreLocks: Sendable {
    let writer: FileLock
    let sync: FileLock
    let checkpoint: FileLock
    let compaction: FileLock
    /// In front of ``LockMap/region``, which the threads of a process share.
    let region = Lock()
    /// Around every sync of the file: the system tells a failure once per open file, and the thread
    /// that it tells must have stopped the others before one of them asks again.
    let dataSync = Lock()

    init(file: any File) {
        writer = FileLock(LockMap.writer, of: file)
        sync = FileLock(LockMap.sync, of: file)
        checkpoint = FileLock(LockMap.checkpoint, of: file)
        compaction = FileLock(LockMap.compaction, of: file)
    }
}
