import FirnValues

enum Replay {
    /// The version after several commits, in their order.
    static func apply(_ frames: [Frame], to snapshot: Snapshot) throws(StoreError) -> Snapshot {
        throw .corrupt(snapshot.path, "commits cannot be done again")
    }
}
