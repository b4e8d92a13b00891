extension Map: CustomStringConvertible {
    /// A textual representation of the type and of at most the first 100 entries.
    public var description: String { describe(depth: 0) }

    /// - Parameter depth: The depth of the object that owns the map.
    func describe(depth: Int) -> String {
        let indentation = String(repeating: "    ", count: depth)
        let inner = depth == 0 ? "\t" : indentation + "    "
        guard !isInvalidated else { return "Map<\(Key.self), \(Value.self)> (invalid)" }
        let shown = prefix(100).map { key, value in
            "\(inner)[\(key)]: \(ObjectBase.text(value, depth + 1))"
        }
        let rest = count > 100 ? ["\(inner)... \(count - 100) more"] : []
        return "Map<\(Key.self), \(Value.self)> (\n" + (shown + rest).joined(separator: ",\n")
            + "\n\(indentation))"
    }
}
