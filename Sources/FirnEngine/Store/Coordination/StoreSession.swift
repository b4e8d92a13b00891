/// A process that has the file open, as the locks of the system tell.
package struct StoreSession: Hashable, Sendable {
    /// `nil` where the system does not tell who holds a lock.
    package let process: ProcessDescription?
    package let isThisProcess: Bool
    /// Whether it has the commit log open.
    package let isAttached: Bool
    /// Whether it has a transaction open right now.
    package let isWriting: Bool
    package let isCheckpointing: Bool
    /// The roots that it reads, with the version that each holds where it is still known.
    package let pinned: [RootVersion]
}

extension Store {
    /// Who has the file open; processes of other users may be missing.
    package func sessions() throws(StoreError) -> [StoreSession] {
        throw StoreError(.limitExceeded, path: path, detail: "not built yet")
    }
}
