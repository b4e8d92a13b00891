import FirnValues

/// Naming versions.
extension WriteTransaction {
    /// Gives a version a name, so that it stays readable.
    func freeze(_ freeze: Freeze) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        // One that expired may have gone, or not, on the root that a replay goes on from.
        if isReplay { overlay.catalog.freezes.removeAll { $0.name == freeze.name } }
        guard !overlay.catalog.freezes.contains(where: { $0.name == freeze.name }) else {
            throw StoreError(
                .freezeExists, path: store.path,
                detail: "a freeze named \(freeze.name) exists already",
                remedy: "choose another name, or drop that one first")
        }
        overlay.catalog.freezes.append(freeze)
        overlay.hasSchemaChanges = true
        try record(.freeze(freeze))
    }

    /// Takes a name away; what only it kept goes with the next root.
    package func dropFreeze(_ name: String) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        guard isReplay || overlay.catalog.freezes.contains(where: { $0.name == name }) else {
            throw StoreError(
                .freezeMissing, path: store.path, detail: "there is no freeze named \(name)")
        }
        overlay.catalog.freezes.removeAll { $0.name == name }
        overlay.hasSchemaChanges = true
        try record(.dropFreeze(name))
    }
}
