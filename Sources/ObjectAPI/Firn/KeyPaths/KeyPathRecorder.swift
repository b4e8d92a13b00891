import FirnValues

/// Records which persisted properties are read.
///
/// A recording object looks like any other object, but each of its properties has a ``_Trace``
/// instead of a value. Reading a property is recorded, and returns a value that is unlikely to have
/// any other source.
final class KeyPathRecorder {
    /// The set of sample values that properties return.
    enum Samples {
        /// Values that are not nil.
        case first
        /// Different values, which are nil where that is allowed.
        case second
    }

    let samples: Samples
    /// Whether properties may be nil in the second set of samples.
    let givesNil: Bool
    /// The paths of the properties that were read and their values, in order.
    private(set) var reads: [(path: String, value: Any)] = []

    init(_ samples: Samples, givesNil: Bool = false) {
        self.samples = samples
        self.givesNil = givesNil
    }

    /// Returns an unmanaged object that records which properties are read.
    func object<T: ObjectBase>(_ type: T.Type, at path: String? = nil) -> T {
        let object = type.init()
        let layout = ClassLayout.of(type)
        for index in layout.properties.indices {
            let property = layout.properties[index]
            let trace = _Trace(self, (path.map { $0 + "." } ?? "") + property.name)
            property.field.record(layout.address(of: index, in: object), trace)
        }
        return object
    }

    /// Returns a root whose key paths can be recorded.
    ///
    /// The root is a recording object, or a projection of one.
    func root<Root>(_ type: Root.Type) -> Root? {
        switch type {
        case let type as ObjectBase.Type: object(type) as? Root
        case let type as any _Projecting.Type: type._recording(self) as? Root
        default: nil
        }
    }

    /// Discards the recorded values, some of which are objects that retain this recorder.
    func forget() { reads = [] }

    fileprivate func note(_ path: String, _ value: Any) { reads.append((path, value)) }
}

/// The state of a property of a recording object, which is its location.
public final class _Trace {
    private let recorder: KeyPathRecorder
    /// The declared initial value of the property, if there is one.
    var initial: Any?
    private let path: String

    init(_ recorder: KeyPathRecorder, _ path: String) {
        self.recorder = recorder
        self.path = path
    }

    /// Whether an optional property is nil.
    var isNil: Bool { recorder.samples == .second && recorder.givesNil }

    /// Records that the property was read, and returns its sample value.
    @usableFromInline
    func read<Value: _Persistable>(_ type: Value.Type) -> Value {
        let value = Value._traced(self)
        recorder.note(path, value)
        return value
    }

    /// Returns the object that a link leads to.
    func object<T: ObjectBase>(_ type: T.Type) -> T { recorder.object(type, at: path) }

    /// Returns one of two values, depending on the current set of samples.
    func sample<Value>(_ first: Value, _ second: Value) -> Value {
        recorder.samples == .first ? first : second
    }
}
