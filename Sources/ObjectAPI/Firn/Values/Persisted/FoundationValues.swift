import FirnEngine
import FirnValues
public import Foundation

extension Data: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Data

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.data) }

    /// Returns empty data, the value of a property without an initial value.
    public static func _initial() -> Data { Data() }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Data {
        guard case .data(let bytes) = stored.value else { otherType(stored, Self.self) }
        return Data(bytes)
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(.data(Array(self)))
    }
}

extension Date: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Date

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.date) }

    /// Returns the current date, the value of a property without an initial value.
    public static func _initial() -> Date { Date() }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Date {
        guard case .date(let time) = stored.value else { otherType(stored, Self.self) }
        return Date(time)
    }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> Date {
        object.reading(
            index,
            { cursor, position throws(StoreError) in
                guard let time = try cursor.date(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return Date(time)
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// Returns the value of an optional property of a managed object.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Date? {
        object.readingIfPresent(
            index,
            { cursor, position throws(StoreError) in try cursor.date(position).map { Date($0) }
            },
            { _decode($0, in: $1) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(.date(Timestamp(self)))
    }
}

extension Date {
    /// Creates a date, which Foundation stores as seconds since 2001 in a Double.
    ///
    /// For dates near the present, the resolution is about 100 ns.
    init(_ time: Timestamp) {
        let (sum, overflow) = time.seconds.subtractingReportingOverflow(Date.referenceSeconds)
        let seconds = Double(overflow ? time.seconds : sum)
        self.init(timeIntervalSinceReferenceDate: seconds + Double(time.nanoseconds) / 1e9)
    }

    /// The number of seconds from the start of 1970 to the start of 2001.
    fileprivate static let referenceSeconds: Int64 = 978_307_200
}

extension Timestamp {
    init(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        // An invalid date becomes the start of 1970.
        guard !interval.isNaN else {
            self.init(seconds: 0)
            return
        }
        let whole = interval.rounded(.down)
        // A date beyond the exact range of Date becomes the nearest one that can be stored.
        let seconds = Int64(exactly: whole) ?? (whole < 0 ? .min / 4 : .max / 4)
        let nanoseconds = whole.isFinite ? Int64(((interval - whole) * 1e9).rounded()) : 0
        let (sum, overflow) = seconds.addingReportingOverflow(Date.referenceSeconds)
        self.init(seconds: overflow ? .max : sum, nanoseconds: nanoseconds)
    }
}

extension Foundation.UUID: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Foundation.UUID

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.uuid) }

    /// Returns a new UUID, the value of a property without an initial value.
    public static func _initial() -> Foundation.UUID { Foundation.UUID() }

    /// Creates an element from its stored form.
    public static func _decode(
        _ stored: _StoredValue, in realm: _RealmReference
    ) -> Foundation.UUID {
        guard case .uuid(let value) = stored.value else { otherType(stored, Self.self) }
        return Foundation.UUID(value)
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(.uuid(FirnValues.UUID(self)))
    }
}

extension Foundation.UUID {
    init(_ value: FirnValues.UUID) {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            buffer.storeBytes(of: value.high.bigEndian, toByteOffset: 0, as: UInt64.self)
            buffer.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: bytes)
    }
}

extension FirnValues.UUID {
    init(_ value: Foundation.UUID) {
        self = withUnsafeBytes(of: value.uuid) { bytes in
            FirnValues.UUID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}

extension Date: _Indexable {}
extension Foundation.UUID: _Indexable, _PrimaryKey {}
