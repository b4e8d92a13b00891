import FirnValues

/// Writes the compact protocol of Thrift; see ``ThriftReader``.
struct ThriftWriter {
    let output: ByteOutput
    private var lastID = 0
    private var outerIDs: [Int] = []

    init(_ output: ByteOutput) { self.output = output }

    private mutating func field(_ id: Int, _ kind: ThriftReader.Kind) {
        let delta = id - lastID
        if delta > 0, delta < 16 {
            output.append(byte: UInt8(delta) << 4 | kind.rawValue)
        } else {
            output.append(byte: kind.rawValue)
            output.append(zigzag: Int64(id))
        }
        lastID = id
    }

    mutating func int32(_ id: Int, _ value: Int) {
        field(id, .int32)
        output.append(zigzag: Int64(value))
    }

    mutating func int64(_ id: Int, _ value: Int64) {
        field(id, .int64)
        output.append(zigzag: value)
    }

    mutating func int8(_ id: Int, _ value: Int8) {
        field(id, .int8)
        output.append(byte: UInt8(bitPattern: value))
    }

    mutating func bool(_ id: Int, _ value: Bool) { field(id, value ? .yes : .no) }

    mutating func text(_ id: Int, _ value: String) { binary(id, Array(value.utf8)) }

    mutating func binary(_ id: Int, _ bytes: [UInt8]) {
        field(id, .binary)
        element(binary: bytes)
    }

    mutating func structure(_ id: Int, _ body: (inout ThriftWriter) -> Void) {
        field(id, .structure)
        element(structure: body)
    }

    /// Begins a list, whose elements are written next.
    mutating func list(_ id: Int, _ kind: ThriftReader.Kind, count: Int) {
        field(id, .list)
        if count < 15 {
            output.append(byte: UInt8(count) << 4 | kind.rawValue)
        } else {
            output.append(byte: 0xF0 | kind.rawValue)
            output.append(varint: UInt64(count))
        }
    }

    // MARK: Elements of lists

    mutating func element(structure body: (inout ThriftWriter) -> Void) {
        outerIDs.append(lastID)
        lastID = 0
        body(&self)
        output.append(byte: 0)
        lastID = outerIDs.removeLast()
    }

    mutating func element(int32 value: Int) { output.append(zigzag: Int64(value)) }

    mutating func element(binary bytes: [UInt8]) {
        output.append(varint: UInt64(bytes.count))
        output.append(bytes)
    }
}
