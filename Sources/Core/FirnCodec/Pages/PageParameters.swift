import FirnValues

/// The parameters that an encoding needs to read a body.
///
/// They are part of the page's header.
///
///     constant    value
///     packed      frame                      decimal     frame, u8 places
///     ascending   frame, u8 delta width      pairs       frame, frame
///     dictionary  varint entries, u8 code width, lengths, varint bytes
///     heap        lengths, varint bytes
///     fixed       -
///
/// The constant of a column of Any is a tagged value; in other columns it is a scalar of the
/// column's kind.
enum PageParameters {
    case constant(Value)
    case packed(IntegerFrame)
    case ascending(IntegerFrame, deltaWidth: Int)
    case pairs(seconds: IntegerFrame, nanoseconds: IntegerFrame)
    case decimal(IntegerFrame, places: Int)
    case fixed
    case dictionary(DictionaryShape)
    case heap(LengthFrame, byteCount: Int)

    /// The sizes of a dictionary's sections.
    struct DictionaryShape {
        var entryCount: Int
        var codeWidth: Int
        var lengths: LengthFrame
        var byteCount: Int
    }

    var encoding: PageEncoding {
        switch self {
        case .constant: .constant
        case .packed: .packed
        case .ascending: .ascending
        case .pairs: .pairs
        case .decimal: .decimal
        case .fixed: .fixed
        case .dictionary: .dictionary
        case .heap: .heap
        }
    }

    /// Returns the parameters with wider row codes; `nil` for encodings with no row codes, or with
    /// two.
    func widened(to width: Int) -> PageParameters? {
        switch self {
        case .packed(var frame):
            frame.width = width
            return .packed(frame)
        case .decimal(var frame, let places):
            frame.width = width
            return .decimal(frame, places: places)
        case .dictionary(var shape):
            shape.codeWidth = width
            return .dictionary(shape)
        case .ascending(let frame, _):
            return .ascending(frame, deltaWidth: width)
        case .constant, .pairs, .fixed, .heap:
            return nil
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .constant(let value): value.writeConstant(to: &writer)
        case .packed(let frame): frame.write(to: &writer)
        case .ascending(let frame, let deltaWidth):
            frame.write(to: &writer)
            writer.u8(UInt8(truncatingIfNeeded: deltaWidth))
        case .pairs(let seconds, let nanoseconds):
            seconds.write(to: &writer)
            nanoseconds.write(to: &writer)
        case .decimal(let frame, let places):
            frame.write(to: &writer)
            writer.u8(UInt8(truncatingIfNeeded: places))
        case .fixed: break
        case .dictionary(let shape):
            writer.varint(UInt64(shape.entryCount))
            writer.u8(UInt8(truncatingIfNeeded: shape.codeWidth))
            shape.lengths.write(to: &writer)
            writer.varint(UInt64(shape.byteCount))
        case .heap(let lengths, let byteCount):
            lengths.write(to: &writer)
            writer.varint(UInt64(byteCount))
        }
    }
}

extension PageParameters {
    /// Reads the parameters of an encoding, and checks every number against its limit.
    init(
        _ encoding: PageEncoding, kind: ValueTag, from reader: inout ByteReader
    ) throws(CodecError) {
        let start = reader.offset
        switch (encoding, kind) {
        case (.constant, _):
            let value = try Value(constantFrom: &reader, kind: kind)
            guard value.isNull || value.tag == kind || kind == .any else {
                throw CodecError(.corrupt, "constant of another kind", at: start)
            }
            self = .constant(value)
        case (.packed, .int), (.packed, .date):
            self = .packed(try IntegerFrame(from: &reader, in: .min ... .max))
        case (.packed, .bool):
            self = .packed(try IntegerFrame(from: &reader, in: 0...1))
        case (.ascending, .int), (.ascending, .date):
            let frame = try IntegerFrame(from: &reader, in: .min ... .max)
            self = .ascending(frame, deltaWidth: try Self.width(&reader, max: 64))
        case (.pairs, .date):
            let seconds = try IntegerFrame(from: &reader, in: .min ... .max)
            self = .pairs(
                seconds: seconds,
                nanoseconds: try IntegerFrame(from: &reader, in: 0...999_999_999))
        case (.decimal, .double), (.decimal, .float):
            let range = -DecimalScaling.integerMax...DecimalScaling.integerMax
            let frame = try IntegerFrame(from: &reader, in: range)
            self = .decimal(
                frame, places: try Self.width(&reader, max: DecimalScaling.placesMax))
        case (.fixed, .double), (.fixed, .float):
            self = .fixed
        case (.dictionary, _) where kind.isStoredAsBytes:
            self = .dictionary(
                DictionaryShape(
                    entryCount: try reader.count(max: CodecLimits.dictionaryEntriesMax),
                    codeWidth: try Self.width(&reader, max: 32),
                    lengths: try LengthFrame(from: &reader),
                    byteCount: try reader.count(max: CodecLimits.pageRawBytesMax)))
        case (.heap, _) where kind.isStoredAsBytes:
            self = .heap(
                try LengthFrame(from: &reader),
                byteCount: try reader.count(max: CodecLimits.pageRawBytesMax))
        default:
            throw CodecError(
                .corrupt, "an encoding that this kind of values does not have", at: start)
        }
    }

    private static func width(
        _ reader: inout ByteReader, max maximum: Int
    ) throws(CodecError) -> Int {
        let width = Int(try reader.u8())
        guard width <= maximum else {
            throw CodecError(.corrupt, "width beyond its limit", at: reader.offset - 1)
        }
        return width
    }
}
