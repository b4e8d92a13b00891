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
        let before = (overlay: overlay, keys: greatestKeys, orphans: orphans, counts: counts)
        do throws(StoreError) {
            return try body()
        } catch {
            overlay = before.overlay
            greatestKeys = before.keys
            orphans = before.orphans
            counts = before.counts
            created = [:]
            throw error
        }
    }
}
