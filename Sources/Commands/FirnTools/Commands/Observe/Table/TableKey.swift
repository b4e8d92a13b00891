import FirnValues

/// A key that moves or ends a live table.
enum TableKey: Hashable {
    case quit
    case up
    case down
    case pageUp
    case pageDown
    case home
    case end
}

/// Recognizes keys in the bytes of a terminal, which sends several bytes for some of them.
struct TableKeyReader {
    private static let escape: UInt8 = 0x1B
    /// The maximum length of a sequence; a longer one is not a key.
    private static let sequenceBytesMax = 8

    /// The sequences after `ESC [` and `ESC O`, whose form depends on the terminal.
    private static let sequences: TextMap<TableKey> = [
        "A": .up, "B": .down, "H": .home, "F": .end, "1~": .home, "7~": .home, "4~": .end,
        "8~": .end, "5~": .pageUp, "6~": .pageDown,
    ]
    private static let letters: TextMap<TableKey> = [
        "q": .quit, "Q": .quit, "k": .up, "j": .down, "b": .pageUp, " ": .pageDown, "g": .home,
        "G": .end,
    ]

    /// The beginning of a sequence.
    private var sequence: [UInt8] = []

    /// Returns the keys that end in the bytes.
    mutating func keys(in bytes: [UInt8]) -> [TableKey] {
        var keys: [TableKey] = []
        for byte in bytes {
            if let key = key(endingWith: byte) { keys.append(key) }
        }
        return keys
    }

    private mutating func key(endingWith byte: UInt8) -> TableKey? {
        if byte == TableKeyReader.escape {
            sequence = [byte]
            return nil
        }
        guard !sequence.isEmpty else { return TableKeyReader.letters[TableKeyReader.text([byte])] }
        sequence.append(byte)
        if sequence.count == 2 {
            // After an Escape key of its own, another key has its own meaning.
            if byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") {
                sequence = []
                return TableKeyReader.letters[TableKeyReader.text([byte])]
            }
            return nil
        }
        let isLast = (0x40...0x7E).contains(byte)
        guard isLast || sequence.count > TableKeyReader.sequenceBytesMax else { return nil }
        defer { sequence = [] }
        return TableKeyReader.sequences[TableKeyReader.text(Array(sequence.dropFirst(2)))]
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
