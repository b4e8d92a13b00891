import FirnValues
public import Foundation

// Values of properties of recording objects, which no program is likely to compute from others.

extension _IntegerValue {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Self? { trace.sample(-101, 113) }
}

extension Bool {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Bool? { trace.sample(true, false) }
}

extension Double {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Double? { trace.sample(-12345.678, 8765.4321) }
}

extension Float {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Float? { trace.sample(-1234.5, 765.25) }
}

extension String {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> String? {
        trace.sample(" \u{2744}fIrN é ", "\tß Sample\u{301}, 2 ")
    }
}

extension Data {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Data? {
        trace.sample(Data([7, 201]), Data([3]))
    }
}

extension Date {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Date? {
        trace.sample(
            Date(timeIntervalSince1970: 123_456_789.25),
            Date(timeIntervalSince1970: -987_654.5))
    }
}

extension Foundation.UUID {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Foundation.UUID? {
        trace.sample(
            Foundation.UUID(FirnValues.UUID(high: 0x6669_726e, low: 1)),
            Foundation.UUID(FirnValues.UUID(high: 0x6669_726e, low: 2)))
    }
}

extension Decimal128 {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Self? { _decode(trace, -12_345, 8_765) }

    private static func _decode(_ trace: _Trace, _ first: Int64, _ second: Int64) -> Self {
        let number = FirnValues.Decimal128(trace.sample(first, second))
        return _decode(_StoredValue(.decimal128(number)), in: _RealmReference(nil))
    }
}

extension ObjectId {
    /// Returns the value of a property of a recording object.
    public static func _sample(_ trace: _Trace) -> Self? {
        let id = FirnValues.ObjectID(high: 0x6669_726e, low: trace.sample(1, 2))
        return _decode(_StoredValue(.objectID(id)), in: _RealmReference(nil))
    }
}

extension Optional where Wrapped: _OptionalCapable {
    /// Returns the value of a property of a recording object.
    ///
    /// A link is never nil.
    public static func _sample(_ trace: _Trace) -> Wrapped?? {
        guard let sample = Wrapped._sample(trace) else { return nil }
        let isLink = Wrapped.self is ObjectBase.Type
        return .some(isLink || !trace.isNil ? sample : nil)
    }
}

extension RealmCollectionValue where Self: ObjectBase {
    /// Returns the destination of a link of a recording object, which is another recording object.
    public static func _sample(_ trace: _Trace) -> Self? { trace.object(Self.self) }
}

/// A collection of a recording object, with the same element at every position and for every key.
protocol RecordingCollection {
    /// The element, or `nil` if the collection is not recording.
    var recordedElement: Any? { get }
}
