/// Changes in several steps.
extension WriteTransaction {
    /// Runs several steps, and undoes all of them if one is rejected.
    ///
    /// The saved state shares its storage with the state that the steps change, so each changed row
    /// group is copied once more. The method is therefore intended for changes of whole classes,
    /// not of objects.
    func atomically<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try sealAll()
        let before = (overlay: overlay, keys: maxKeyBounds, orphans: orphans, counts: counts)
        let recorded = (
            mark: self.recorded?.mark, hasChanges: hasChanges, count: operationCount,
            removalCount: removalCount
        )
        attemptDepth += 1
        defer { attemptDepth -= 1 }
        do throws(StoreError) {
            return try body()
        } catch {
            overlay = before.overlay
            forgetPlans()
            maxKeyBounds = before.keys
            orphans = before.orphans
            counts = before.counts
            created = ClassMap()
            hasChanges = recorded.hasChanges
            operationCount = recorded.count
            removalCount = recorded.removalCount
            if let mark = recorded.mark { self.recorded?.truncate(to: mark) }
            throw error
        }
    }
}
