import FirnValues

/// Writes down which persisted properties are read.
///
/// A recording object looks like any other, but each of its properties has a ``_Trace`` instead of a
/// value: reading it is written down, and gives a value that nothing else would give.
final class KeyPathRecorder {
    /// What the properties have.
    enum Samples {
        /// Values that are not nil.
        case first
        /// Other values; nil where that may be.
        case second
    }

    let samples: Samples
    /// Whether properties may have nil in the second samples.
    let givesNil: Bool
    /// The paths of the properties that were read with what they gave, in order.
    private(set) var reads: [(path: String, value: Any)] = []

    init(_ samples: Samples, givesNil: Bool = false) {
        self.samples = samples
        self.givesNil = givesNil
    }

    /// An unmanaged object whose properties write down that they are read.
    func object<T: ObjectBase>(_ type: T.Type, at path: String? = nil) -> T {
        let object = type.init()
        let layout = ClassLayout.of(type)
        for place in layout.properties.indices {
            let property = layout.properties[place]
            let trace = _Trace(self, (path.map { $0 + "." } ?? "") + property.name)
            property.field.record(layout.address(of: place, in: object), trace)
        }
        return object
    }

    /// Something whose key paths can be recorded: such an object, or a projection of one.
    func root<Root>(_ type: Root.Type) -> Root? {
        switch type {
        case let type as ObjectBase.Type: object(type) as? Root
        case let type as any _Projecting.Type: type._recording(self) as? Root
        default: nil
        }
    }

    /// Forgets what was read; the objects among it lead back to this.
    func forget() { reads = [] }

    fileprivate func note(_ path: String, _ value: Any) { reads.append((path, value)) }
}

/// What a property of a recording object has: where it is.
public final class _Trace {
    private let recorder: KeyPathRecorder
    /// What the property began with, if that was said.
    var initial: Any?
    private let path: String

    init(_ recorder: KeyPathRecorder, _ path: String) {
        self.recorder = recorder
        self.path = path
    }

    /// Whether a property that may be nil is.
    var isNil: Bool { recorder.samples == .second && recorder.givesNil }

    /// Writes down that the property was read.
    @usableFromInline
    func read<Value: _Persistable>(_ type: Value.Type) -> Value {
        let value = Value._traced(self)
        recorder.note(path, value)
        return value
    }

    /// The object behind a link.
    func object<T: ObjectBase>(_ type: T.Type) -> T { recorder.object(type, at: path) }

    /// One of two values, by the samples that are wanted.
    func sample<Value>(_ first: Value, _ second: Value) -> Value {
        recorder.samples == .first ? first : second
    }
}
