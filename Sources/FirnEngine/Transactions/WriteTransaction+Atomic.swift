/// Changes of many steps.
extension WriteTransaction {
    /// Runs steps of which any may be refused; then none of them has happened.
    ///
    /// What is kept in case of a refusal shares its storage with what the steps change, so that
    /// each changed row group costs one more copy: for changes of whole classes, not of objects.
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
