/// A collection that a recording object gives: every position and every key has the same element.
protocol RecordingCollection {
    /// The element; `nil` of a collection that is not recording.
    var recordedElement: Any? { get }
}

extension List: RecordingCollection {
    /// A list of a recording object.
    public static func _traced(_ trace: _Trace) -> List {
        let list = List()
        if let sample = Element._sample(trace) {
            list._unmanaged = [sample]
            list.isRecording = true
        }
        return list
    }

    var recordedElement: Any? { isRecording ? _unmanaged.first : nil }
}

extension MutableSet: RecordingCollection {
    /// A set of a recording object.
    public static func _traced(_ trace: _Trace) -> MutableSet {
        let set = MutableSet()
        if let sample = Element._sample(trace) {
            set.insertUnmanaged(sample)
            set.isRecording = true
        }
        return set
    }

    var recordedElement: Any? { isRecording ? _unmanaged.first : nil }
}

extension Map: RecordingCollection {
    /// A map of a recording object.
    public static func _traced(_ trace: _Trace) -> Map {
        let map = Map()
        if let sample = Value._sample(trace) {
            map.unmanaged = ["": sample]
            map.isRecording = true
        }
        return map
    }

    var recordedElement: Any? { recordedValue }

    /// The value of every key of a map of a recording object.
    var recordedValue: Value? { isRecording ? unmanaged[""] : nil }
}
