extension List {
    /// The list that is a property of a managed object.
    public static func _managed(_ core: _CollectionCore) -> List {
        guard let core = core as? PropertyCore else { misuse("a \(core.name) is no list") }
        return List(core)
    }
}
