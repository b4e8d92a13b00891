import FirnPlatform

/// The rights of one handle; see ``LockMap`` for what they mean and their order.
struct StoreRights: Sendable {
    let writer: FileRight
    let sync: FileRight
    let checkpoint: FileRight
    let compaction: FileRight
    /// In front of ``LockMap/region``, which the threads of a process share.
    let region = Lock()

    init(file: any File) {
        writer = FileRight(LockMap.writer, of: file)
        sync = FileRight(LockMap.sync, of: file)
        checkpoint = FileRight(LockMap.checkpoint, of: file)
        compaction = FileRight(LockMap.compaction, of: file)
    }
}
