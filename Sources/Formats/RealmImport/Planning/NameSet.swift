import FirnValues

/// The names that are in use, and the rules for new ones.
struct NameSet {
    private static let byteCountMax = 255
    private var taken: TextSet

    init(taken: TextSet = []) { self.taken = taken }

    /// Adds a name, or a similar one that a database accepts and that is not in use.
    mutating func add(_ wanted: String) -> String {
        var name = String(
            String.UnicodeScalarView(
                wanted.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "_" : $0 }))
        // Classes of the database itself have this prefix.
        if name.hasPrefix("firn.") { name = "_" + name }
        if name.isEmpty { name = "unnamed" }
        while name.utf8.count > NameSet.byteCountMax - 8 { name.removeLast() }
        return taken.insertNumbered(name) { "\(name)_\($0)" }
    }
}
