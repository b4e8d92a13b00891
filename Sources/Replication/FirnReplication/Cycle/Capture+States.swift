import FirnEngine
import FirnPlatform
import FirnValues

extension Capture {
    /// Returns the state of all objects of a class, each as a transaction of its own.
    ///
    /// - Parameter isLatest: Whether the state prevails over what the server has.
    func everything(
        of type: SyncedClass, in snapshot: Snapshot, isLatest: Bool, _ record: inout UpstreamRecord
    ) throws(UpstreamError) -> [Collected] {
        let rows = try UpstreamError.converting { () throws(StoreError) in
            try snapshot.table(type.schema.id)?.liveRowIDs() ?? []
        }
        guard !rows.isEmpty else { return [] }
        let clock = store.services.clock.wallTime()
        let time = Int64(clock.seconds) * 1_000_000_000 + Int64(clock.nanoseconds)
        var step = CaptureStep(
            old: ValueTexts(snapshot), new: ValueTexts(snapshot), time: time, record: record, kept)
        for row in rows {
            try step.addExisting(row, of: type, in: snapshot, isLatest: isLatest)
        }
        // The next transaction would have the number of the step.
        record.lastSequence = step.sequence - 1
        record.clock = step.clock
        return step.collected
    }
}
