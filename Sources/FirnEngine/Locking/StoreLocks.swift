import FirnPlatform

/// The locks of one handle; ``LockMap`` describes their meaning and order.
struct StoreLocks: Sendable {
    let writer: FileLock
    let sync: FileLock
    let checkpoint: FileLock
    let compaction: FileLock
    /// The gate in front of ``LockMap/region``, which the threads of a process share.
    let region = Lock()
    /// A lock around every sync of the file.
    ///
    /// The system reports a failure once per open file. The thread that receives it must stop the
    /// other threads before one of them syncs again.
    let dataSync = Lock()

    init(file: any File) {
        writer = FileLock(LockMap.writer, of: file)
        sync = FileLock(LockMap.sync, of: file)
        checkpoint = FileLock(LockMap.checkpoint, of: file)
        compaction = FileLock(LockMap.compaction, of: file)
    }
}
