/// Something that one thread gives up for another.
struct Handed<Content>: @unchecked Sendable {
    let value: Content

    init(_ value: Content) { self.value = value }
}
