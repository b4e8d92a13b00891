import FirnPlatform
import FirnValues

/// Naming versions.
extension WriteTransaction {
    /// Gives a version a name, so that it stays readable.
    ///
    /// For an older version this waits until nobody folds the log.
    ///
    /// - Parameters:
    ///   - version: one that can be read now; `nil`: the newest before this transaction.
    ///   - expiresSeconds: since 1970; from then on it is as if there were no such freeze.
    /// - Throws: ``StoreError`` with `invalidValue` for an impossible name or note, `freezeExists`,
    ///   `versionGone`, `limitExceeded`, `lockHeld`.
    /// - Returns: the freeze as it will be kept.
    @discardableResult
    package func freeze(
        name: String, at version: VersionReference? = nil, expires expiresSeconds: Int64? = nil,
        note: String = ""
    ) throws(StoreError) -> Freeze {
        try checkOpen()
        guard let publisher else {
            throw StoreError(
                .invalidValue, path: store.path, detail: "a replay makes no freezes of its own")
        }
        var number = base.version
        if let version {
            number = try publisher.resolve(version, in: base)
            if number < base.version {
                // Whoever publishes roots meanwhile would not know of this freeze, and might leave
                // its version out: the right to publish them is held until the commit.
                try openPages()
            }
            guard try publisher.isReadable(number, in: base) else {
                throw try publisher.notKept(number, in: base)
            }
        }
        let freeze = Freeze(
            name: name, version: number,
            createdSeconds: publisher.services.clock.wallTime().seconds,
            expiresSeconds: expiresSeconds, note: note)
        try self.freeze(freeze)
        return freeze
    }

    /// Notes a name for a version; one that has expired by then makes room for it.
    func freeze(_ freeze: Freeze) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        try check(freeze)
        // What is done again was allowed when it was done.
        if publisher != nil { try checkRoom(for: freeze) }
        overlay.freezes.add(freeze)
        try record(.freeze(freeze))
    }

    /// Takes a name away; what only it kept goes with the next root.
    package func dropFreeze(_ name: String) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        // A root that was published later than this was done may have lost it, because it expired.
        if publisher != nil, try base.with(overlay).freeze(named: name) == nil {
            throw .freezeMissing(name, path: store.path)
        }
        overlay.freezes.drop(name)
        try recordRemoval(.dropFreeze(name))
    }

    /// Makes sure that a freeze has its name to itself, and that there are not too many.
    private func checkRoom(for freeze: Freeze) throws(StoreError) {
        let current = base.with(overlay)
        let old = try current.freeze(named: freeze.name)
        guard old?.isExpired(at: freeze.createdSeconds) ?? true else {
            throw StoreError(
                .freezeExists, path: store.path,
                detail: "a freeze named \"\(freeze.name)\" exists already",
                remedy: "choose another name, or drop that one first")
        }
        if old != nil { return }
        guard try current.hasRoomForFreeze() else {
            throw StoreError(
                .limitExceeded, path: store.path,
                detail: "there are \(Freeze.countMaximum) freezes already", remedy: "drop some")
        }
    }

    private func check(_ freeze: Freeze) throws(StoreError) {
        var problem = Freeze.problem(withName: freeze.name).map { "the name of a freeze \($0)" }
        if freeze.note.utf8.count > Freeze.noteByteCountMaximum {
            problem = "a note is longer than \(Freeze.noteByteCountMaximum) bytes"
        }
        guard let problem else { return }
        throw StoreError(.invalidValue, path: store.path, detail: problem)
    }
}
