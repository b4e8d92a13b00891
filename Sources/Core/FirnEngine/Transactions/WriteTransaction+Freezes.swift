import FirnPlatform
import FirnValues

/// Naming versions.
extension WriteTransaction {
    /// Gives a version a name, so that it stays readable.
    ///
    /// For an older version, the method waits until no checkpoint is running.
    ///
    /// - Parameters:
    ///   - version: A version that can be read now; `nil` means the newest before this transaction.
    ///   - expiresSeconds: The time in seconds since 1970 after which the freeze no longer
    ///     counts.
    /// - Throws: ``StoreError`` with `invalidValue` for an invalid name or note, `freezeExists`,
    ///   `versionGone`, `limitExceeded` or `lockHeld`.
    /// - Returns: The freeze as stored.
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
                // A checkpoint that publishes roots meanwhile would not know of this freeze, and
                // might drop its version. The checkpoint lock is therefore held until the commit.
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

    /// Gives a name to the version that this transaction creates, so that it stays readable.
    ///
    /// The name and the version become durable together: a crash leaves both or none.
    ///
    /// - Throws: ``StoreError`` as ``freeze(name:at:expires:note:)`` does.
    /// - Returns: The freeze as stored, with the number of the version.
    @discardableResult
    package func freezeResult(name: String) throws(StoreError) -> Freeze {
        try checkOpen()
        guard let publisher, let version = base.version.next else {
            throw StoreError(
                .limitExceeded, path: store.path, detail: "no version number is left")
        }
        let freeze = Freeze(
            name: name, version: version,
            createdSeconds: publisher.services.clock.wallTime().seconds, expiresSeconds: nil,
            note: "")
        try self.freeze(freeze)
        return freeze
    }

    /// Records a name for a version; an expired freeze with that name is replaced.
    func freeze(_ freeze: Freeze) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        try check(freeze)
        // A replayed freeze was valid when it was first made.
        if publisher != nil { try checkRoom(for: freeze) }
        overlay.freezes.add(freeze)
        try record(.freeze(freeze))
    }

    /// Removes a name; data that only this freeze kept is released with the next root.
    package func dropFreeze(_ name: String) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        // In a replay, a root published after this operation may have lost the freeze to its
        // expiry.
        if publisher != nil, try base.with(overlay).freeze(named: name) == nil {
            throw .freezeMissing(name, path: store.path)
        }
        overlay.freezes.drop(name)
        try recordRemoval(.dropFreeze(name))
    }

    /// Checks that the name of a freeze is unused, and that there are not too many freezes.
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
        // Files of earlier builds can contain a freeze of that name.
        if freeze.name == "head" { problem = "head is the name of the newest version" }
        if freeze.note.utf8.count > Freeze.noteByteCountMaximum {
            problem = "a note is longer than \(Freeze.noteByteCountMaximum) bytes"
        }
        guard let problem else { return }
        throw StoreError(.invalidValue, path: store.path, detail: problem)
    }
}
