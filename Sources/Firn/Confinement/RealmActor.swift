/// The actor to which a realm belongs.
///
/// The reference is weak. Otherwise an actor that stores its realm, and the version that the realm
/// shows, would never be freed.
final class RealmActor: @unchecked Sendable {
    /// The actor, or `nil` after it was freed.
    private(set) weak var actor: (any Actor)?
    let id: ObjectIdentifier
    let type: any Actor.Type

    init(_ actor: any Actor) {
        self.actor = actor
        id = ObjectIdentifier(actor)
        type = Swift.type(of: actor)
    }
}
