/// The actor that a realm belongs to.
///
/// The reference is weak: an actor that stores its realm would never be freed otherwise, and neither
/// would the version that the realm shows.
final class RealmActor: @unchecked Sendable {
    /// The actor; `nil` once it was freed.
    private(set) weak var actor: (any Actor)?
    let id: ObjectIdentifier
    let type: any Actor.Type

    init(_ actor: any Actor) {
        self.actor = actor
        id = ObjectIdentifier(actor)
        type = Swift.type(of: actor)
    }
}
