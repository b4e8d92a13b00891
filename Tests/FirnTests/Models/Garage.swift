import Firn

/// An object with embedded objects everywhere.
class Garage: Object {
    @Persisted var main: Wheel?
    @Persisted var wheels: List<Wheel>
    @Persisted var spares: List<Wheel>
    @Persisted var named: Map<String, Wheel?>
}

class Wheel: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var bolts: List<Bolt>

    convenience init(_ size: Int) {
        self.init()
        self.size = size
    }
}

class Bolt: EmbeddedObject {
    @Persisted var length = 0
}
