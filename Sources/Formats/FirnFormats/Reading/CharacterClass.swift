/// The meaning of a byte outside quotes.
enum CharacterClass {
    static let text: UInt8 = 0
    static let delimiter: UInt8 = 1
    static let lineFeed: UInt8 = 2
    static let carriageReturn: UInt8 = 3
    static let quote: UInt8 = 4
    static let escape: UInt8 = 5
    static let null: UInt8 = 6
}

/// The meaning of each of the 256 bytes in one format.
///
/// The table is raw memory, because the lookup is in the innermost loop of reading, where an array
/// would be reference-counted once per field.
struct MeaningTable: ~Copyable {
    let table: UnsafeMutablePointer<UInt8>

    init(_ format: DelimitedFormat) {
        table = .allocate(capacity: 256)
        table.initialize(repeating: CharacterClass.text, count: 256)
        table[0] = CharacterClass.null
        table[0x0A] = CharacterClass.lineFeed
        table[0x0D] = CharacterClass.carriageReturn
        table[Int(format.delimiter)] = CharacterClass.delimiter
        if let quote = format.quote { table[Int(quote)] = CharacterClass.quote }
        if format.hasEscapes { table[Int(UInt8(ascii: "\\"))] = CharacterClass.escape }
    }

    deinit { table.deallocate() }
}
