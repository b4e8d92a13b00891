import FirnPlatform
import FirnValues

extension Store {
    /// Makes what a transaction did durable, and the newest version.
    func commit(_ transaction: WriteTransaction) throws(StoreError) -> LSN {
        try commitDirectly(transaction)
    }

    /// Folds the overlay into pages and flips the superblock: the commit of a lone writer.
    private func commitDirectly(_ transaction: WriteTransaction) throws(StoreError) -> LSN {
        let old = transaction.base.root.superblock
        guard let lsn = transaction.base.version.next else {
            throw StoreError(.limitExceeded, path: path, detail: "no version number is left")
        }
        let (catalog, writer) = try transaction.fold()
        let change = RootChange(
            lsn: lsn, chain: old.chain, frames: [], hasLog: false,
            logGeneration: old.logGeneration)
        let root = try Commit(store: self, root: transaction.base.root).publish(
            catalog, change, writer)
        state.withLock { $0.root = root }
        return root.superblock.lsn
    }
}
