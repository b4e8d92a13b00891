import FirnValues

extension RealmKeyedCollection {
    /// The entries without the types of keys and values.
    var anyEntries: TextMap<Any> {
        TextMap(map { ($0.key._mapKey, $0.value as Any) }) { first, _ in first }
    }
}

/// Returns the entries of a dictionary or a map without the types of their values; `nil` for any other value.
///
/// Keys are different if their bytes are: what was read from a map never becomes a dictionary, which takes
/// composed and decomposed letters for the same.
func entries(in value: Any) -> TextMap<Any>? {
    value as? TextMap<Any> ?? (value as? [String: Any]).map { TextMap($0) }
        ?? (value as? any RealmKeyedCollection)?.anyEntries
}
