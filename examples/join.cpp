// A join of two tables on two machines, and the rows that need not travel.
//
// One machine has a million orders. Another knows which customers live in a certain country, one in twenty, and wants the
// sum of their orders for each of ten sales regions. Orders know their customer but not the country. Without more ado all
// orders travel, and nineteen in twenty are thrown away on arrival. Better send something small the other way first
// (a semi-join; query planners call it a runtime filter that is pushed down to the scan):
//
//   customers ──build──► filter of the ids, 0.1 MB ──sent──►  orders: which rows may match?
//                                                               filter.select(column, rows)
//      exact join  ◄──── 51,000 rows, 0.8 MB ◄──sent─────────── only those, instead of 16 MB
//
// select writes a selection vector: the numbers of the rows whose customer may be in the filter, as column engines want
// them. It never leaves out a row that matches. It lets through a few that do not, at the filter's rate, and the exact
// join, which is made anyhow, drops those. So the result is the same to the cent.
//
// Sending the list of ids instead is exact and takes 64 bits per key. A filter takes log2(1/p)/ln 2 bits. With n keys, R
// rows that do not match and B bytes per row, n·log2(1/p)/(8·ln 2) + R·B·p bytes travel in vain; the best rate is
//
//   p = n / (8·ln²2·R·B) = 0.26·n/(R·B)          here 50,000 keys, 950,000 rows of 16 bytes: 0.09 %
//
// The program fails if a result differs, or if the rows shipped needlessly are not as many as the filter's rate says.
#include <seen/filters/bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

constexpr std::size_t all_orders = 1'000'000, all_customers = 1'000'000, regions = 10;

struct order {
  std::uint64_t customer, cents;
};

// The machine with the orders keeps them by column.
struct order_columns {
  std::vector<std::uint64_t> customer, cents;
};

order_columns make_orders() {
  std::mt19937_64 random(1);
  order_columns all;
  for (std::size_t i = 0; i < all_orders; ++i) {
    all.customer.push_back(random() % all_customers);
    all.cents.push_back(random() % 100'000);
  }
  return all;
}

// The customers of the country, each with its sales region.
using customer_list = std::unordered_map<std::uint64_t, std::size_t>;

customer_list make_customers() {
  customer_list some;
  for (std::uint64_t id = 7; id < all_customers; id += 20) some.emplace(id, id / 20 % regions);
  return some;
}

// What was asked for: of each region how many orders, and how much they come to.
struct region_sum {
  std::uint64_t orders = 0, cents = 0;
  friend bool operator==(const region_sum&, const region_sum&) = default;
};
using answer = std::array<region_sum, regions>;

// The exact join, on the machine with the customers. Rows that match nobody are dropped.
answer join(const customer_list& customers, const std::vector<order>& shipped) {
  answer sums;
  for (const order& o : shipped) {
    const auto found = customers.find(o.customer);
    if (found == customers.end()) continue;
    ++sums[found->second].orders;
    sums[found->second].cents += o.cents;
  }
  return sums;
}

// What came back, and what had been sent to get it.
struct shipment {
  std::size_t bytes_sent = 0;
  std::vector<order> rows;
};

shipment ship_everything(const order_columns& all) {
  shipment s;
  for (std::size_t i = 0; i < all_orders; ++i) s.rows.push_back({all.customer[i], all.cents[i]});
  return s;
}

shipment ship_by_list(const order_columns& all, const customer_list& customers) {
  std::unordered_set<std::uint64_t> list;
  for (const auto& each : customers) list.insert(each.first);
  shipment s{.bytes_sent = list.size() * sizeof(std::uint64_t), .rows = {}};
  for (std::size_t i = 0; i < all_orders; ++i) {
    if (list.contains(all.customer[i])) s.rows.push_back({all.customer[i], all.cents[i]});
  }
  return s;
}

// The machine with the orders: goes through the column in pieces, and picks the rows that may match.
shipment ship_by_filter(const order_columns& all, std::span<const std::byte> received) {
  const seen::bloom wanted = seen::from_bytes<seen::bloom>(received).value();
  shipment s{.bytes_sent = received.size(), .rows = {}};
  std::vector<std::uint32_t> rows(8192);  // the selection vector
  for (std::size_t first = 0; first < all_orders; first += rows.size()) {
    const auto piece = std::span(all.customer).subspan(first, std::min(rows.size(), all_orders - first));
    const std::size_t selected = wanted.select(piece, rows);
    for (std::size_t i = 0; i < selected; ++i) s.rows.push_back({piece[rows[i]], all.cents[first + rows[i]]});
  }
  return s;
}

// The machine with the customers: makes the filter, as bytes that travel.
std::vector<std::byte> filter_of(const customer_list& customers, double fpr) {
  seen::bloom filter({.capacity = customers.size(), .fpr = fpr});
  for (const auto& each : customers) filter.add(each.first);
  return seen::to_bytes(filter).value();
}

// How many rows a filter of this rate lets through needlessly, and the most it may by chance: a customer is let through with
// all its orders, so the variance is p·Σ (orders of a customer)². Six sigma and two percent: the rate is promised to those.
struct expected_rows {
  double mean = 0, tolerance = 0;

  expected_rows(const order_columns& all, const customer_list& customers, double fpr) {
    std::vector<std::uint64_t> orders_of(all_customers);
    for (const std::uint64_t id : all.customer) ++orders_of[id];
    double squares = 0;
    for (std::uint64_t id = 0; id < all_customers; ++id) {
      if (customers.contains(id)) continue;
      const auto n = static_cast<double>(orders_of[id]);
      mean += fpr * n;
      squares += fpr * n * n;
    }
    tolerance = 0.02 * mean + 6 * std::sqrt(squares);
  }
};

bool promises_kept = true;

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::printf("BROKEN: %s\n", what.c_str());
  promises_kept = false;
}

void print(const char* plan, const shipment& s, std::uint64_t needed) {
  const double there = static_cast<double>(s.bytes_sent), back = static_cast<double>(s.rows.size() * sizeof(order));
  std::printf("%-28s %8.1f   %8zu %8zu %8.2f   %8.2f\n", plan, there / 1e3, s.rows.size(),
              s.rows.size() - static_cast<std::size_t>(needed), back / 1e6, (there + back) / 1e6);
}

// What all ways must come to.
struct truth {
  answer sums;
  std::uint64_t orders = 0;
};

void try_filter(const char* plan, double fpr, const order_columns& orders, const customer_list& customers,
                const truth& t) {
  const shipment s = ship_by_filter(orders, filter_of(customers, fpr));
  print(plan, s, t.orders);
  promise(join(customers, s.rows) == t.sums, std::string(plan) + ": gives another result");
  const auto shape = seen::plan<seen::bloom>({.capacity = customers.size(), .fpr = fpr});
  const expected_rows expected(orders, customers, shape.expected_fpr(customers.size()));
  const double needless = static_cast<double>(s.rows.size()) - static_cast<double>(t.orders);
  promise(std::abs(needless - expected.mean) <= expected.tolerance,
          std::string(plan) + ": " + std::to_string(needless) + " needless rows instead of " +
              std::to_string(expected.mean));
}

}  // namespace

int main() {
  const order_columns orders = make_orders();
  const customer_list customers = make_customers();
  const shipment everything = ship_everything(orders);
  truth t{.sums = join(customers, everything.rows)};
  for (const region_sum& each : t.sums) t.orders += each.orders;

  std::printf(
      "One machine has a million orders. Another has 50,000 customers and wants their orders, one in twenty.\n"
      "What should it send to the orders first, so that fewer of them (16 bytes each) travel back?\n\n");
  std::printf("%-28s %8s   %26s   %8s\n", "", "sent", "orders shipped back", "in all");
  std::printf("%-28s %8s   %8s %8s %8s   %8s\n", "sent first", "kB", "rows", "needless", "MB", "MB");
  print("nothing", everything, t.orders);

  const shipment by_list = ship_by_list(orders, customers);
  print("the list of customers", by_list, t.orders);
  promise(join(customers, by_list.rows) == t.sums, "the list gives another result");

  try_filter("a filter of them, 10 %", 0.1, orders, customers, t);
  try_filter("a filter of them, 1 %", 0.01, orders, customers, t);
  try_filter("a filter of them, 0.1 %", 0.001, orders, customers, t);
  if (!promises_kept) return std::puts("A PROMISE WAS BROKEN."), 1;
  std::printf("\nAll five give the same sums for ten sales regions, to the cent, of %zu orders.\n",
              static_cast<std::size_t>(t.orders));
}
