import FirnCodec
import FirnValues

/// Tests whether points are inside a region.
struct RegionMatch {
    private let region: GeoRegion

    init(_ region: GeoRegion) { self.region = region }

    /// Returns the rows that pass.
    ///
    /// A row without coordinates, or with coordinates that are not a valid location, does not pass.
    func rows(
        _ types: ColumnVector, longitudes: ColumnVector, latitudes: ColumnVector
    ) -> Bitmap {
        var passing = VectorTest(.compare(.equal, .string(GeoLocation.pointType))).rows(types)
        for row in 0..<types.count where passing[row] {
            passing[row] = position(row, longitudes, latitudes).map(region.contains) ?? false
        }
        return passing
    }

    private func position(
        _ row: Int, _ longitudes: ColumnVector, _ latitudes: ColumnVector
    ) -> GeoPosition? {
        guard case .double(let longitude) = longitudes.value(at: row),
            case .double(let latitude) = latitudes.value(at: row)
        else { return nil }
        return GeoPosition(longitude: longitude, latitude: latitude)
    }
}
